#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/reading/record_table.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/similarity/snapshot.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::internal {
namespace {

/// How files are read is for the reader to say, never for the certificate.
LoadOptions options_for(const VerifySources& sources) {
  LoadOptions options;
  options.read = sources.read;
  options.matrix = sources.matrix;
  options.repeats = sources.repeats;
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

GivenSums measured(const InputFile& file, const PointOptions& options,
                   const verifying::Claim& claim, Run& run) {
  if (claim.kind != from_points) {
    GivenSums points;
    points.kind = from_points;
    return points;
  }
  return measure_points(read_point_table(file, options), claim.exponent, run);
}

bool looks_like_certificate(std::string_view start) {
  return trimmed(start).starts_with('{') &&
         start.find("\"tertium certificate\"") != std::string_view::npos;
}

/// Arguments in the wrong order are told from a certificate that is damaged.
void check_order(const std::string& certificate, std::string_view text,
                 const std::vector<InputFile>& inputs) {
  constexpr std::size_t looked_at = 200;
  if (looks_like_certificate(text.substr(0, looked_at))) return;
  for (const InputFile& input : expand_inputs(inputs)) {
    if (!looks_like_certificate(input.open()->peek(looked_at))) continue;
    throw InputError({{certificate},
                      fmt::format("no certificate; {} looks like one", in_quotes(input.path)),
                      "the certificate first, after it the answers",
                      "Name them the other way round"});
  }
}

/// What to compare the claim with; nothing if the certificate cannot be understood anyway.
GivenSums read_given(const std::string& text, const std::string& certificate,
                     const VerifySources& sources, Run& run) {
  try {
    const verifying::Claim claim = verifying::parse_claim(text);
    const std::vector<InputFile> files = expand_inputs(sources.inputs);
    stop_while_waiting(files, run);
    const LoadOptions options = options_for(sources);
    const bool only_answers = std::none_of(files.begin(), files.end(), [&](const InputFile& file) {
      return holds_sums(file, options);
    });
    if (sources.points) return measured(files.front(), *sources.points, claim, run);
    // A small matrix looks like rows of answers; what reading it as such gives is of no interest.
    if (only_answers && (claim.kind == precomputed || claim.kind == from_points)) {
      GivenSums answers;
      answers.kind = "answers";
      return answers;
    }
    if (only_answers) return add_up_answers(files, options.read, options.repeats, run);
    SimilarityMatrix similarity = load_similarity(files, options, run).similarity;
    if (similarity.rounded) {
      throw InputError(
          {{files[0].path},
           "a matrix that had to be rounded",
           "values that 64 bits hold exactly: a proof is about S itself",
           "Write it with tertium similarity -o matrix.sim, and prove something of that"});
    }
    return as_given(std::move(similarity));
  } catch (const verifying::Refusal&) {
    check_order(certificate, text, sources.inputs);
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
  const GivenSums given = read_given(text, certificate, sources, run);
  return verify_certificate(text, folder.empty() ? "." : folder, given, sources.options, run);
}

}  // namespace tertium
