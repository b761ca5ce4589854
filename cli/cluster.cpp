#include "tertium/cluster/cluster.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/certificate/certificate_file.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/methods/method_table.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/report/check_report.hpp"
#include "tertium/report/cluster_report.hpp"

namespace tertium::cli {
namespace {

constexpr const char* certificate_file = "certificate.json";
constexpr const char* pairs_file = "pairs.npy";

struct ClusterFlags {
  InputFlags input;
  std::string clusters = "auto";
  std::string similarity = "auto";
  std::string rounding = "kmeans";
  ClusterOptions options;
  std::uint64_t seed = 1;
  std::string truth;
  LabelColumns truth_columns{{}, {}, "--truth-item", "--truth-label"};
  std::optional<std::string> output;
  bool json = false;
  bool quiet = false;
  std::vector<const CLI::Option*> reading;  // the flags that say how answers are read
};

[[noreturn]] void refuse(const std::string& flag, const std::string& value,
                         std::string_view expected) {
  throw InputError({{}, fmt::format("{} {}", flag, in_quotes(value)), std::string(expected), ""});
}

int whole_number(std::string_view text, const std::string& whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    refuse("--clusters", whole,
           "a number such as 3, a range such as 2-6, auto, spur, spur-lambda or heldout");
  }
  return value;
}

ClusterCount count_of(const std::string& text) {
  if (text == "auto") return ChooseBy::automatic;
  if (text == "spur") return ChooseBy::spur;
  if (text == "spur-lambda") return ChooseBy::lambda_grid;
  if (text == "heldout") return ChooseBy::heldout;
  const auto dash = text.find_first_of("-:", 1);
  if (dash == std::string::npos) return Clusters{whole_number(text, text)};
  const std::string_view view(text);
  return ClusterRange{whole_number(view.substr(0, dash), text),
                      whole_number(view.substr(dash + 1), text)};
}

ClusterOptions options_of(const ClusterFlags& flags) {
  ClusterOptions options = flags.options;
  options.count = count_of(flags.clusters);
  if (flags.similarity != "auto" && flags.similarity != "adds3" && flags.similarity != "adds4") {
    refuse("--similarity", flags.similarity, "auto, adds3 or adds4");
  }
  if (flags.rounding != "kmeans" && flags.rounding != "spectral") {
    refuse("--rounding", flags.rounding, "kmeans or spectral");
  }
  if (flags.rounding == "spectral") options.rounding = Rounding::spectral;
  validate(options);
  return options;
}

void check_kind(const std::string& wanted, SimilarityKind kind) {
  if (wanted == "auto" || wanted == similarity_name(kind)) return;
  throw InputError({{},
                    fmt::format("--similarity {} for {}", wanted,
                                kind == SimilarityKind::adds3   ? "triplets"
                                : kind == SimilarityKind::adds4 ? "quadruplets"
                                                                : "a matrix"),
                    "adds3 for triplets, adds4 for quadruplets",
                    "Leave out --similarity"});
}

/// Before the long work, so that nothing is lost; the folder itself is made when there is something
/// to write.
void check_folder(const std::string& folder) {
  const auto refuse_folder = [&](const std::string& found) {
    throw InputError({{folder}, found, "a folder for the results", "Use another -o"});
  };
  if (folder.empty()) refuse("-o", folder, "a folder for the results");
  std::filesystem::path existing = std::filesystem::absolute(folder).lexically_normal();
  std::error_code none;
  while (!std::filesystem::exists(existing, none) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  if (!std::filesystem::is_directory(existing, none)) {
    refuse_folder(fmt::format("that {} is a file", in_quotes(existing.string())));
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    refuse_folder(fmt::format("that {} cannot be written ({})", in_quotes(existing.string()),
                              std::strerror(errno)));
  }
}

/// Known classes. Throws InputError if they are about other items.
Labeling read_truth(const ClusterFlags& flags, const SimilarityMatrix& similarity) {
  Labeling truth = read_labeling(flags.truth, flags.truth_columns);
  const std::set<std::string_view> items(similarity.items.begin(), similarity.items.end());
  const auto is_known = [&](const std::string& item) { return items.contains(item); };
  if (std::none_of(truth.items.begin(), truth.items.end(), is_known)) {
    throw InputError(
        {{flags.truth},
         fmt::format("no item of the answers (its items: {}, ...; those of the answers: {}, ...)",
                     truth.items.empty() ? "none" : in_quotes(truth.items.front()),
                     in_quotes(similarity.items.front())),
         "items named as in the answers",
         "Name the columns with --truth-item and --truth-label"});
  }
  return truth;
}

Agreement compare_with_truth(const Labeling& truth, const SimilarityMatrix& similarity,
                             const Clustering& clustering) {
  Labeling found;
  for (std::size_t item = 0; item < similarity.size(); ++item) {
    if (clustering.labels[item] < 0) continue;
    found.items.push_back(similarity.items[item]);
    found.labels.push_back(std::to_string(clustering.labels[item]));
  }
  return compare_labelings(found, truth);
}

void write(const std::filesystem::path& path, const std::string& text) {
  OutputFile file(path.string());
  file.write(text);
  file.commit();
}

/// A proof is about all items of the answers: with items left out there is no file.
bool has_certificate_file(const Clustering& clustering) {
  return clustering.certificate && clustering.certificate->verdict == Verdict::optimal &&
         clustering.left_out.empty();
}

/// Of every pair of items, the share of resamples that put them together; NaN for items without a
/// cluster. For more items the file would be large.
constexpr std::size_t most_items_in_pairs = 2000;

void write_pairs(const std::filesystem::path& path, const ClusterReport& report) {
  const std::size_t items = report.loaded.similarity.size();
  const Clustering& clustering = report.clustering;
  const std::vector<std::uint16_t> counts = pairs_together(*clustering.bootstrap);
  const auto resamples = static_cast<float>(clustering.bootstrap->resamples);
  std::vector<float> share(items * items, std::numeric_limits<float>::quiet_NaN());
  std::size_t pair = 0;
  for (std::size_t a = 0; a < clustering.clustered.size(); ++a) {
    const std::size_t i = clustering.clustered[a];
    share[i * items + i] = 1;
    for (std::size_t b = 0; b < a; ++b) {
      const std::size_t j = clustering.clustered[b];
      share[i * items + j] = share[j * items + i] = static_cast<float>(counts[pair++]) / resamples;
    }
  }
  OutputFile file(path.string());
  file.write(npy_header("<f4", items, items));
  file.write({reinterpret_cast<const char*>(share.data()), share.size() * sizeof(float)});
  file.commit();
}

bool has_pairs(const ClusterReport& report) {
  return report.clustering.bootstrap && report.loaded.similarity.size() <= most_items_in_pairs;
}

/// Files of an earlier run that this one has nothing to say to would be wrong now.
void remove_old(const std::filesystem::path& path) { std::filesystem::remove(path); }

void write_folder(const std::filesystem::path& folder, const ClusterReport& report) {
  std::filesystem::create_directories(folder);
  const Clustering& clustering = report.clustering;
  write(folder / "labels.csv", labels_as_csv(report));
  if (has_certificate_file(clustering)) {
    write(folder / certificate_file,
          certificate_text(report.loaded.similarity, clustering.labels, clustering.objective,
                           *clustering.certificate));
  } else {
    remove_old(folder / certificate_file);
  }
  if (has_pairs(report)) {
    write_pairs(folder / pairs_file, report);
  } else {
    remove_old(folder / pairs_file);
  }
  write(folder / "result.json", clustering_as_json(report) + "\n");
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
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// The command that checks the proof: the same answers, read with the same flags.
std::string verify_command(const ClusterFlags& flags) {
  std::string command =
      "tertium verify " + shell_word(fmt::format("{}/{}", *flags.output, certificate_file));
  for (const std::string& input : flags.input.inputs) command += " " + shell_word(input);
  for (const CLI::Option* option : flags.reading) {
    if (option->count() == 0 || option->get_positional()) continue;
    if (option->get_expected_max() == 0) {
      command += " " + option->get_name();
      continue;
    }
    for (const std::string& value : option->results()) {
      command += fmt::format(" {} {}", option->get_name(), shell_word(value));
    }
  }
  return command;
}

void print_written(const ClusterFlags& flags, const ClusterReport& report) {
  const std::string& folder = *flags.output;
  std::string files = fmt::format("{0}/labels.csv, {0}/result.json", folder);
  if (has_pairs(report)) files += fmt::format(", {}/{}", folder, pairs_file);
  if (has_certificate_file(report.clustering)) {
    files += fmt::format(", {}/{}", folder, certificate_file);
  }
  fmt::print("\nwritten           {}\n", files);
  if (has_certificate_file(report.clustering)) {
    fmt::print("check the proof   {}\n", verify_command(flags));
  }
}

void run(const ClusterFlags& flags) {
  LoadOptions load = finish(flags.input);
  const ClusterOptions options = options_of(flags);
  load.keep_answers = !options.quick;
  if (flags.output) check_folder(*flags.output);
  ProgressLine line;
  Run progress(run_options(line, flags.input.threads, flags.seed));
  const LoadedSimilarity loaded =
      load_similarity(expand_inputs(flags.input.files()), load, progress);
  check_kind(flags.similarity, loaded.similarity.kind);
  Labeling truth;
  if (!flags.truth.empty()) truth = read_truth(flags, loaded.similarity);
  const Clustering clustering = cluster(loaded, options, progress);
  line.clear();
  ClusterReport report{loaded, clustering, options, flags.seed, std::nullopt};
  if (!flags.truth.empty()) {
    report.truth = compare_with_truth(truth, loaded.similarity, clustering);
  }
  if (flags.output) write_folder(*flags.output, report);
  if (flags.json) {
    fmt::print("{}\n", clustering_as_json(report));
  } else if (!flags.quiet) {
    fmt::print("{}", clustering_as_text(report, wants_colour()));
    if (flags.output) print_written(flags, report);
    fmt::print(stderr, "{}", warnings_as_text(loaded.report));
  }
}

}  // namespace

void add_cluster(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "cluster", "Find groups: how many, who is in them, how sure, and why (start here)");
  const auto flags = std::make_shared<ClusterFlags>();
  add_input_flags(*command, flags->input, Sums::yes);
  for (const CLI::Option* option : command->get_options()) flags->reading.push_back(option);
  command
      ->add_option("-k,--clusters", flags->clusters,
                   "How many: a number; a range such as 2-6; auto (SPUR, Algorithm 2 of the paper; "
                   "held-out answers if there are too many items for it); spur (at any size); "
                   "spur-lambda (Algorithm 1); heldout (answers kept aside choose)")
      ->type_name("K|auto|RANGE|...")
      ->capture_default_str();
  command
      ->add_option("--similarity", flags->similarity,
                   "auto, adds3 for triplets or adds4 for quadruplets")
      ->type_name("KIND")
      ->capture_default_str();
  command
      ->add_option(
          "--method", flags->options.method,
          "auto (certificate first, else the consensus of the best partitions) or paper (exactly "
          "as printed)")
      ->type_name("METHOD")
      ->capture_default_str();
  command
      ->add_option("--rounding", flags->rounding, "How X becomes a partition: kmeans or spectral")
      ->type_name("WAY")
      ->capture_default_str();
  command
      ->add_option("--tolerance", flags->options.tolerance,
                   "Relative gap at which semidefinite programs count as solved")
      ->type_name("GAP")
      ->capture_default_str();
  command
      ->add_option("--truth", flags->truth,
                   "File with known classes of items: how far do the clusters agree?")
      ->type_name("FILE");
  command->add_option("--truth-item", flags->truth_columns.item, "Column of items in --truth")
      ->type_name("COLUMN");
  command->add_option("--truth-label", flags->truth_columns.label, "Column of classes in --truth")
      ->type_name("COLUMN");
  command
      ->add_option("--resamples", flags->options.resamples,
                   "Of the answers, for confidence; 0: by the size of the data, at least 100 up to "
                   "2000 items")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--seed", flags->seed, "Of all random numbers")
      ->check(CLI::NonNegativeNumber)
      ->type_name("S")
      ->capture_default_str();
  command->add_flag("--quick", flags->options.quick,
                    "Only clusters with their proof or bound: no null test, held-out answers or "
                    "confidence");
  command
      ->add_option("-o,--output", flags->output,
                   "Folder for labels.csv, result.json, pairs.npy and, if there is a proof, "
                   "certificate.json")
      ->type_name("DIR");
  command->add_flag("--json", flags->json, "Print the result as JSON (what result.json holds)");
  command->add_flag("-q,--quiet", flags->quiet, "Print nothing");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
