#include "tertium/verify.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/reading/record_table.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity/precomputed.hpp"
#include "tertium/similarity/snapshot.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct VerifyFlags {
  InputFlags input;
  std::string certificate;
  const CLI::Option* repeats = nullptr;
  OutputFlags output;
};

/// What the command line leaves open is done as the certificate says it was done.
void follow_claim(const verifying::Claim& claim, const VerifyFlags& flags,
                  const std::vector<InputFile>& files, LoadOptions& options) {
  // A snapshot knows how its repeats were counted.
  if (flags.repeats->count() == 0 && std::none_of(files.begin(), files.end(), is_snapshot)) {
    options.repeats = claim.repeats;
  }
  // Up to this size a matrix looks like rows of answers.
  constexpr std::size_t largest_ambiguous = 4;
  if (flags.input.kind.empty() && claim.kind == similarity_name(SimilarityKind::precomputed) &&
      claim.items.size() <= largest_ambiguous) {
    options.matrix = true;
  }
}

/// Files that hold sums already, which the checker cannot add up for itself.
bool holds_sums(const InputFile& file, const LoadOptions& options) {
  return options.matrix || is_snapshot(file) ||
         (flags_set(options.read).empty() && is_similarity_matrix(file));
}

GivenSums as_given(SimilarityMatrix similarity) {
  GivenSums given;
  given.kind = similarity_name(similarity.kind);
  given.repeats = similarity.repeats;
  given.comparisons = similarity.comparisons;
  given.items = std::move(similarity.items);
  given.triangle = std::move(static_cast<IntegerTriangle&>(similarity));
  return given;
}

/// What to compare the claim with; nothing if the certificate cannot be understood anyway.
GivenSums read_given(const std::string& text, const VerifyFlags& flags, Run& run) {
  LoadOptions options = finish(flags.input);
  try {
    const verifying::Claim claim = verifying::parse_claim(text);
    const std::vector<InputFile> files = expand_inputs(flags.input.files());
    follow_claim(claim, flags, files, options);
    const bool only_answers = std::none_of(files.begin(), files.end(), [&](const InputFile& file) {
      return holds_sums(file, options);
    });
    if (only_answers) return add_up_answers(files, options.read, options.repeats, run);
    return as_given(load_similarity(files, options, run).similarity);
  } catch (const verifying::Refusal&) {
    return {};
  }
}

std::filesystem::path folder_of(const std::string& certificate) {
  const std::filesystem::path folder = std::filesystem::path(certificate).parent_path();
  return folder.empty() ? "." : folder;
}

void run(const VerifyFlags& flags) {
  ByteSource source(flags.certificate);
  const std::string text = read_all(source);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads));
  const GivenSums given = read_given(text, flags, progress);
  const Verification verification =
      verify_certificate(text, folder_of(flags.certificate), given, {}, progress);
  line.clear();
  const bool json = flags.output.json && !flags.output.quiet;
  if (json) fmt::print("{}\n", verification_as_json(verification));
  if (!verification.verified) throw Refused(verification.reason);
  if (!json && !flags.output.quiet) fmt::print("{}", verification_as_text(verification));
}

}  // namespace

void add_verify(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "verify", "Check a certificate against the answers, trusting nothing in it");
  const auto flags = std::make_shared<VerifyFlags>();
  add_file(*command, "CERTIFICATE", flags->certificate, "What `sdp` or `cluster` has written")
      ->required();
  add_report_flags(*command, flags->output);
  add_input_flags(*command, flags->input, Sums::yes);
  flags->repeats = command->get_option("--repeats");
  command->footer(
      "Exit code 3: the certificate does not prove what it claims.\n"
      "\n"
      "Examples:\n"
      "  tertium verify results/certificate.json answers.csv\n"
      "  tertium verify proof.json answers.csv --json");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
