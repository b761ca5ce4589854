#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/core/error.hpp"
#include "tertium/report/check_report.hpp"
#include "tertium/similarity/export.hpp"
#include "tertium/similarity/snapshot.hpp"

namespace tertium::cli {
namespace {

struct SimilarityFlags {
  InputFlags input;
  std::string output;
  bool json = false;
  bool quiet = false;
};

/// Answers and lists of items are never overwritten; a snapshot may be replaced by its successor.
void protect_inputs(const std::vector<InputFile>& files, const LoadOptions& options,
                    const std::string& output) {
  std::vector<std::string> inputs;
  for (const InputFile& file : files) {
    if (file.path != "-" && !is_snapshot(file)) inputs.push_back(file.path);
  }
  if (!options.read.items_file.empty()) inputs.push_back(options.read.items_file);
  for (const std::string& input : inputs) {
    std::error_code none;
    if (std::filesystem::equivalent(input, output, none)) {
      throw InputError(
          {{output}, "that it is an input", "another file to write", "Use another -o"});
    }
  }
}

void run(const SimilarityFlags& flags) {
  const LoadOptions options = finish(flags.input);
  const auto format = export_format(flags.output);
  const std::vector<InputFile> files = expand_inputs(flags.input.files());
  protect_inputs(files, options, flags.output);
  if (format) protect_inputs(files, options, items_file_for(flags.output));
  ProgressLine line;
  Run progress(run_options(line, flags.input.threads));
  const LoadedSimilarity loaded = load_similarity(files, options, progress);
  line.clear();
  std::string items_file;
  if (format) {
    items_file = export_similarity(loaded.similarity, flags.output, *format);
  } else {
    write_snapshot(loaded.similarity, flags.output);
  }
  if (flags.quiet || flags.output == "-") return;
  if (flags.json) {
    fmt::print("{}\n", similarity_as_json(loaded.similarity, flags.output));
    return;
  }
  fmt::print("{}{}", understood_as_text(loaded.report), loaded.report.tables.empty() ? "" : "\n");
  fmt::print("{}{}", similarity_as_text(loaded.similarity),
             strongest_pairs_as_text(loaded.similarity));
  fmt::print("{:<18}{}{}\n", "written", flags.output,
             items_file.empty() ? "" : fmt::format(", item names in {}", items_file));
  if (loaded.majority_ties > 0) {
    fmt::print(stderr, "note: {} questions were split evenly and left out by --repeats majority\n",
               loaded.majority_ties);
  }
  fmt::print(stderr, "{}", warnings_as_text(loaded.report));
}

}  // namespace

void add_similarity(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "similarity", "Turn answers into the additive similarity (AddS-3, AddS-4) in one pass");
  const auto flags = std::make_shared<SimilarityFlags>();
  add_input_flags(*command, flags->input, Sums::yes);
  command
      ->add_option("-o,--output", flags->output,
                   "Where to write: a snapshot, or for other tools .npy, .csv or .mtx")
      ->required()
      ->type_name("FILE");
  command->add_flag("--json", flags->json, "Print the summary as JSON");
  command->add_flag("-q,--quiet", flags->quiet, "Print nothing");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
