#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/answers/data_check.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct CheckFlags {
  InputFlags input;
  OutputFlags output;
};

/// Snapshots keep no answers; what they do keep is shown.
void check_similarity(const std::vector<InputFile>& files, const CheckFlags& flags,
                      const LoadOptions& options, Run& run) {
  const LoadedSimilarity loaded = load_similarity(files, options, run);
  if (flags.output.quiet) return;
  if (flags.output.json) {
    fmt::print("{}\n", similarity_as_json(loaded.similarity));
  } else {
    fmt::print(
        "{}\nA snapshot or matrix keeps sums, not answers: repeats, contradictions and "
        "participants\ncan only be checked in the files of answers.\n",
        similarity_as_text(loaded.similarity));
  }
}

void run(const CheckFlags& flags) {
  const LoadOptions options = finish(flags.input);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads));
  const std::vector<InputFile> files = expand_inputs(flags.input.files());
  stop_while_waiting(files, progress);
  const auto has_no_answers = [&](const InputFile& file) { return holds_sums(file, options); };
  if (std::any_of(files.begin(), files.end(), has_no_answers)) {
    check_similarity(files, flags, options, progress);
    return;
  }
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  const ReadReport report = read_answers(files, options.read, {&sink, 1}, progress);
  line.clear();
  const DataCheck check = check_data(stored, report.listed_items, report.counts.comparisons);
  if (flags.output.quiet) return;
  if (flags.output.json) {
    fmt::print("{}\n", check_as_json(check, report));
  } else {
    fmt::print("{}", check_as_text(check, report));
  }
}

}  // namespace

void add_check(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "check", "Say what a file of answers holds, how it was understood and what is wrong with it");
  const auto flags = std::make_shared<CheckFlags>();
  add_report_flags(*command, flags->output);
  add_input_flags(*command, flags->input, Sums::no);
  command->footer(
      "Examples:\n"
      "  tertium check answers.csv\n"
      "  tertium check export.csv --where trial_type=test --participant PROLIFIC_PID\n"
      "  tertium check things.csv --kind odd-one-out --odd last --items images.csv\n"
      "  zcat answers.csv.gz | tertium check - --json");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
