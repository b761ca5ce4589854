#include <algorithm>
#include <filesystem>
#include <utility>

#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/reading/record_table.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/similarity/snapshot.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::internal {
namespace {

/// What is left open is done as the certificate says it was done.
LoadOptions options_for(const verifying::Claim& claim, const VerifySources& sources,
                        const std::vector<InputFile>& files) {
  LoadOptions options;
  options.read = sources.read;
  options.matrix = sources.matrix;
  // A snapshot knows how its repeats were counted.
  const bool counted = std::any_of(files.begin(), files.end(), is_snapshot);
  options.repeats = sources.repeats.value_or(counted ? Repeats::sum : claim.repeats);
  // Up to this size a matrix looks like rows of answers.
  constexpr std::size_t largest_ambiguous = 4;
  if (!sources.read.kind && claim.kind == precomputed && claim.items.size() <= largest_ambiguous) {
    options.matrix = true;
  }
  return options;
}

GivenSums as_given(SimilarityMatrix similarity) {
  GivenSums given;
  given.kind = similarity.rule;
  given.repeats = similarity.repeats;
  given.comparisons = similarity.comparisons;
  given.items = std::move(similarity.items);
  given.triangle = std::move(static_cast<IntegerTriangle&>(similarity));
  return given;
}

/// What to compare the claim with; nothing if the certificate cannot be understood anyway.
GivenSums read_given(const std::string& text, const VerifySources& sources, Run& run) {
  try {
    const verifying::Claim claim = verifying::parse_claim(text);
    const std::vector<InputFile> files = expand_inputs(sources.inputs);
    stop_while_waiting(files, run);
    const LoadOptions options = options_for(claim, sources, files);
    const bool only_answers = std::none_of(files.begin(), files.end(), [&](const InputFile& file) {
      return holds_sums(file, options);
    });
    if (only_answers) return add_up_answers(files, options.read, options.repeats, run);
    return as_given(load_similarity(files, options, run).similarity);
  } catch (const verifying::Refusal&) {
    return {};
  }
}

}  // namespace
}  // namespace tertium::internal

namespace tertium {

using namespace internal;

Verification verify_file(const std::string& certificate, const VerifySources& sources, Run& run) {
  ByteSource source(certificate);
  const std::string text = read_all(source);
  const std::filesystem::path folder = std::filesystem::path(certificate).parent_path();
  const GivenSums given = read_given(text, sources, run);
  return verify_certificate(text, folder.empty() ? "." : folder, given, {}, run);
}

}  // namespace tertium
