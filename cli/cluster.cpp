#include "tertium/cluster.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/methods/method_table.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/report.hpp"
#include "tertium/report/result_folder.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct ClusterFlags {
  InputFlags input;
  std::string clusters = "auto";
  std::string rounding = "kmeans";
  std::string proof = "auto";
  ClusterOptions options;
  std::uint64_t seed = 1;
  std::string truth;
  LabelColumns truth_columns{{}, {}, "--truth-item", "--truth-label"};
  std::optional<std::string> folder;
  bool spreadsheet = false;
  OutputFlags output;
};

[[noreturn]] void refuse(const std::string& flag, const std::string& value,
                         std::string_view expected) {
  throw InputError({{}, fmt::format("{} {}", flag, in_quotes(value)), std::string(expected), ""});
}

ClusterOptions options_of(const ClusterFlags& flags) {
  ClusterOptions options = flags.options;
  options.count = parse_cluster_count(flags.clusters);
  options.proof = parse_proof_effort(flags.proof);
  if (flags.rounding != "kmeans" && flags.rounding != "spectral") {
    refuse("--rounding", flags.rounding, "kmeans or spectral");
  }
  if (flags.rounding == "spectral") options.rounding = Rounding::spectral;
  validate(options);
  return options;
}

std::string methods_in_words() {
  std::string text = "How";
  for (const Method& method : methods()) {
    text += fmt::format("{} {} ({})", text == "How" ? ":" : ";", method.name, method.description);
  }
  return text;
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0');
}

std::string shell_word(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-./,:=+@%") == std::string::npos;
  if (plain && !text.empty()) return text;
  if (escaped(text) != text) {  // bytes that must not reach a terminal, as bash writes them
    std::string word = "$'";
    for (const char c : text) word += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return word + "'";
  }
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// The command that checks the proof: the same answers, read with the same flags.
std::string verify_command(const std::string& folder, const LoadedSimilarity& loaded) {
  std::string command =
      "tertium verify " + shell_word(fmt::format("{}/{}", folder, certificate_file_name));
  for (const InputFile& input : loaded.inputs) command += " " + shell_word(input.path);
  const LoadOptions& options = loaded.options;
  if (options.matrix) command += " --kind matrix";
  if (options.repeats != Repeats::sum) {
    command += fmt::format(" --repeats {}", to_string(options.repeats));
  }
  for (const auto& [flag, value] : flags_set(options.read)) {
    command += " " + flag + (value.empty() ? "" : " " + shell_word(value));
  }
  return command;
}

void print_written(const std::string& folder, const LoadedSimilarity& loaded,
                   const std::vector<FileIdentity>& files) {
  std::vector<std::string> paths;
  for (const FileIdentity& file : files) {
    paths.push_back(escaped((std::filesystem::path(folder) / file.name).string()));
  }
  fmt::print("\nwritten           {}\n", fmt::join(paths, ", "));
  if (std::any_of(files.begin(), files.end(),
                  [](const FileIdentity& file) { return file.name == certificate_file_name; })) {
    fmt::print("check the proof   {}\n", verify_command(folder, loaded));
  }
}

/// Who opens labels.csv in a spreadsheet should know what it may take for formulas.
void warn_of_formulas(const ClusterFlags& flags, const ResultView& view) {
  const std::size_t formulas = count_formulas(view.items);
  if (!flags.folder || flags.spreadsheet || formulas == 0) return;
  fmt::print(
      stderr,
      "note: {} of the names could be formulas in a spreadsheet; add --spreadsheet to have a "
      "file that is safe to open there\n",
      formulas);
}

/// Before the long work, so that nothing is lost.
void check_output(const ClusterFlags& flags, const std::vector<InputFile>& files) {
  if (flags.spreadsheet && !flags.folder) {
    throw InputError({{}, "--spreadsheet without -o", "both: it is a file in that folder", ""});
  }
  if (!flags.folder) return;
  OutputGuard guard(flags.output.force);
  protect_inputs(guard, files, flags.input);
  guard.protect(flags.truth);
  check_result_folder(*flags.folder, guard);
}

void run(const ClusterFlags& flags) {
  LoadOptions load = finish(flags.input);
  std::vector<std::string> names = flags.input.inputs;
  names.push_back(flags.truth);
  check_standard_input(names);
  const ClusterOptions options = options_of(flags);
  load.keep_answers = !options.quick;
  const std::vector<InputFile> inputs = flags.input.files();
  check_output(flags, expand_inputs(inputs));
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads, flags.seed));
  const LoadedSimilarity loaded = load_similarity(inputs, load, progress);
  Labeling truth;
  if (!flags.truth.empty()) {
    const InputFile file(flags.truth, load.read.read_limit);
    stop_while_waiting({file}, progress);
    truth = read_labeling(file, flags.truth_columns);
    check_truth(truth, flags.truth, loaded.similarity);
  }
  ResultView view = cluster(loaded, options, progress);
  line.clear();
  if (!flags.truth.empty()) compare_with_truth(view, truth);
  std::vector<FileIdentity> written;
  if (flags.folder) {
    written = write_result(*flags.folder, view, flags.spreadsheet);
    view.files.assign(written.begin(), written.end() - 1);  // all but result.json itself
  }
  if (flags.output.quiet) return;
  if (flags.output.json) {
    fmt::print("{}\n", result_as_json(view));
  } else {
    fmt::print("{}", input_as_text(loaded.report));
    fmt::print("{}", result_as_text(view, wants_colour()));
    if (flags.folder) print_written(*flags.folder, loaded, written);
    fmt::print(stderr, "{}", warnings_as_text(loaded.report));
    warn_of_formulas(flags, view);
  }
}

}  // namespace

void add_cluster(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "cluster", "Find groups: how many, who is in them, how sure, and why (start here)");
  const auto flags = std::make_shared<ClusterFlags>();
  const char* clusters = "Clusters";
  command
      ->add_option("-k,--clusters", flags->clusters,
                   "How many: a number; a range such as 2-6; auto (SPUR, Algorithm 2 of the paper; "
                   "held-out answers if there are too many items for it); spur (at any size); "
                   "spur-lambda (Algorithm 1); heldout (answers kept aside choose)")
      ->type_name("K")
      ->capture_default_str()
      ->group(clusters);
  command->add_option("--method", flags->options.method, methods_in_words())
      ->type_name("METHOD")
      ->capture_default_str()
      ->group(clusters);
  command
      ->add_option("--rounding", flags->rounding, "How X becomes a partition: kmeans or spectral")
      ->type_name("WAY")
      ->capture_default_str()
      ->group(clusters);
  command
      ->add_option("--tolerance", flags->options.tolerance,
                   "Relative gap at which semidefinite programs count as solved")
      ->type_name("GAP")
      ->capture_default_str()
      ->group(clusters);
  add_seed(*command, flags->seed)->group(clusters);
  add_similarity_flag(*command, flags->input);
  command
      ->add_option("--proof", flags->proof,
                   "How long to try to prove that no other grouping is better: no; auto (about two "
                   "seconds of work); a number of seconds (what is proved then depends on the "
                   "machine); full (to the end)")
      ->type_name("EFFORT")
      ->capture_default_str()
      ->group(clusters);
  const char* confidence = "Confidence";
  command
      ->add_option("--resamples", flags->options.resamples,
                   "Of the answers, for confidence; 0: by the size of the data, at least 100 up to "
                   "2000 items")
      ->type_name("N")
      ->capture_default_str()
      ->group(confidence);
  command
      ->add_flag("--quick", flags->options.quick,
                 "Only clusters with their proof or bound: no null test, held-out answers or "
                 "confidence")
      ->group(confidence);
  const char* truth = "Known classes";
  add_file(*command, "--truth", flags->truth,
           "File with known classes of items: how far do the clusters agree?")
      ->group(truth);
  command->add_option("--truth-item", flags->truth_columns.item, "Its column of items")
      ->type_name("COLUMN")
      ->group(truth);
  command->add_option("--truth-label", flags->truth_columns.label, "Its column of classes")
      ->type_name("COLUMN")
      ->group(truth);
  command
      ->add_option("-o,--output", flags->folder,
                   "Folder for labels.csv, result.json, pairs.npy and, if there is a proof, "
                   "certificate.json: new, empty, or with an earlier result")
      ->type_name("DIR")
      ->group("Output");
  command
      ->add_flag("--spreadsheet", flags->spreadsheet,
                 "Write spreadsheet.csv, too: labels that are safe to open in a spreadsheet, which "
                 "could take names that begin with =, +, - or @ for formulas")
      ->group("Output");
  add_report_flags(*command, flags->output);
  add_force_flag(*command, flags->output);
  add_input_flags(*command, flags->input, Sums::yes);
  command->footer(
      "Examples:\n"
      "  tertium cluster answers.csv -o results\n"
      "  tertium cluster answers.csv --clusters 2-6 --quick\n"
      "  tertium cluster answers.csv --items images.csv --truth classes.csv\n"
      "  tertium cluster answers.sim --clusters 5 --json");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
