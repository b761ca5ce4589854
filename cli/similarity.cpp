#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity/export.hpp"
#include "tertium/similarity/snapshot.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct SimilarityFlags {
  InputFlags input;
  OutputFlags output;
  std::string path;
};

FileKind kind_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::npy:
      return FileKind::array;
    case ExportFormat::csv:
      return FileKind::similarity_table;
    case ExportFormat::mtx:
      return FileKind::matrix_market;
  }
  return FileKind::array;
}

/// A snapshot may be replaced by its successor, which holds its sums: snapshots grow in place. All
/// other inputs stay as they are.
void check_output(const SimilarityFlags& flags, const std::vector<InputFile>& files,
                  std::optional<ExportFormat> format) {
  OutputGuard guard(flags.output.force);
  std::vector<InputFile> kept;
  for (const InputFile& file : files) {
    // Standard input is no file to replace, and is not looked into before there is a way to stop.
    const bool may_grow = !format && file.path != "-" && is_snapshot(file);
    if (!may_grow) kept.push_back(file);
  }
  protect_inputs(guard, kept, flags.input);
  guard.check("-o", flags.path, format ? kind_of(*format) : FileKind::snapshot);
  if (format == ExportFormat::npy) {
    guard.check("-o", items_file_for(flags.path), FileKind::item_names);
  }
}

void run(const SimilarityFlags& flags) {
  const LoadOptions options = finish(flags.input);
  const auto format = export_format(flags.path);
  const std::vector<InputFile> files = expand_inputs(flags.input.files());
  check_output(flags, files, format);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads));
  const LoadedSimilarity loaded = load_similarity(files, options, progress);
  line.clear();
  std::string items_file;
  if (format) {
    items_file = export_similarity(loaded.similarity, flags.path, *format);
  } else {
    write_snapshot(loaded.similarity, flags.path);
  }
  if (flags.output.quiet || flags.path == "-") return;
  if (flags.output.json) {
    fmt::print("{}\n", similarity_as_json(loaded.similarity, flags.path));
    return;
  }
  fmt::print("{}", input_as_text(loaded.report));
  fmt::print("{}{}", similarity_as_text(loaded.similarity),
             strongest_pairs_as_text(loaded.similarity));
  fmt::print("{:<18}{}{}\n", "written", escaped(flags.path),
             items_file.empty() ? "" : fmt::format(", item names in {}", escaped(items_file)));
  if (loaded.majority_ties > 0) {
    fmt::print(stderr, "note: {} questions were split evenly and left out by --repeats majority\n",
               loaded.majority_ties);
  }
  fmt::print(stderr, "{}", warnings_as_text(loaded.report));
}

}  // namespace

void add_similarity(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "similarity",
      "Turn answers into a similarity, the additive ones (AddS-3, AddS-4) in one pass");
  const auto flags = std::make_shared<SimilarityFlags>();
  add_file(*command, "-o,--output", flags->path,
           "Where to write: a snapshot (.sim), or for other tools .npy, .csv or .mtx")
      ->required()
      ->group("Output");
  add_report_flags(*command, flags->output);
  add_force_flag(*command, flags->output);
  add_similarity_flag(*command, flags->input);
  add_input_flags(*command, flags->input, Sums::yes);
  command->footer(
      "Examples:\n"
      "  tertium similarity answers.csv -o answers.sim\n"
      "  tertium similarity answers.csv --repeats once -o paper.npy\n"
      "  tertium similarity monday.sim tuesday.sim -o week.sim");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
