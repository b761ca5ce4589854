#include "cli/input_flags.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

void add_column_flags(CLI::App& command, ReadOptions& read) {
  const auto add = [&](const char* flag, std::optional<std::string>& column, const char* text) {
    command.add_option(flag, column, text)
        ->type_name("COLUMN")
        ->group("Columns of the answers (name or number from 1)");
  };
  add("--anchor", read.anchor, "The item that was compared");
  add("--near", read.near, "The item that is nearer to the anchor");
  add("--far", read.far, "The item that is farther from the anchor");
  add("--option1", read.option1, "The first option shown");
  add("--option2", read.option2, "The second option shown");
  add("--option3", read.option3, "The third option shown (odd-one-out, most-central)");
  add("--answer", read.answer, "Which option was picked");
  add("--participant", read.participant, "Who answered; file: every file is one person's");
  add("--weight", read.weight, "Weight or number of votes, 0 or more");
}

void add_meaning_flags(CLI::App& command, InputFlags& flags) {
  ReadOptions& read = flags.options.read;
  const auto in_group = [](CLI::Option* option, const char* type) {
    option->type_name(type)->group("Meaning of the answers (found from the file where it can be)");
  };
  in_group(command.add_option(
               "--kind", flags.kind,
               "What was asked: triplets, quadruplets, odd-one-out, most-central, ranking, grid; "
               "or matrix for a similarity made elsewhere"),
           "KIND");
  in_group(
      command.add_option("--odd", read.odd, "Which column is the odd item: first, last or COLUMN"),
      "WHICH");
  in_group(
      command.add_option("--answer-values", flags.answer_values,
                         "How answers name an option: item, 0/1, 1/2, +1/-1, left/right, column"),
      "WAY");
  in_group(command.add_option(
               "--answer-means", flags.answer_means,
               "Two pairs: the answer names the pair that is more alike, or more different"),
           "WORD");
  in_group(command.add_option("--shown", read.shown,
                              "Several pictures in one stimulus: what they are, in order, such as "
                              "anchor,option1,option2"),
           "ROLES");
  in_group(
      command.add_option("--ids-from", read.ids_from, "Items are numbers counted from 0 or from 1"),
      "0|1");
  in_group(
      command.add_option("--header", flags.header, "The first row names the columns: yes or no"),
      "yes|no");
  in_group(command.add_option("--separator", flags.separator,
                              "Between cells: comma, semicolon, tab, blanks or a character"),
           "SEPARATOR");
}

void add_row_flags(CLI::App& command, InputFlags& flags, Sums sums) {
  ReadOptions& read = flags.options.read;
  const char* rows = "Rows and items";
  const auto condition = [&](const char* flag, std::vector<std::string>& conditions,
                             const char* text) {
    command.add_option(flag, conditions, text)
        ->type_name("CONDITION")
        ->allow_extra_args(false)
        ->group(rows);
  };
  condition("--where", read.where,
            "Use only rows like this: COLUMN=a,b or != < <= > >=, or ~ and a pattern with * and ? "
            "(may be repeated: all must hold)");
  condition("--exclude", read.exclude, "Leave out rows like this (may be repeated)");
  command.add_option("--drop", read.drop, "Leave out these participants: p28,p13")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(rows);
  add_file(command, "--participants-file", read.participants_file,
           "List of the participants whose answers are used, one per line")
      ->group(rows);
  if (sums == Sums::yes) {
    command
        .add_option("--repeats", flags.repeats,
                    "Questions answered several times: sum (every answer counts), once (each "
                    "different answer counts once, as in the paper), majority")
        ->type_name("WAY")
        ->capture_default_str()
        ->group(rows);
  }
  command
      .add_flag("--skip-bad-rows", read.skip_bad_rows,
                "Go on after a bad row; say how many there were and which")
      ->group(rows);
  command
      .add_flag("--merge-names", read.merge_names,
                "Names that differ in case, blanks, folder or file ending only are one item")
      ->group(rows);
  command
      .add_option("--duplicates", flags.duplicates,
                  "Files with the same content: refuse, or keep to count both")
      ->type_name("WAY")
      ->capture_default_str()
      ->group(rows);
  add_file(command, "--items", read.items_file,
           "List of items: names, pictures, known categories, items never asked about")
      ->group(rows);
  command.add_option("--item-name", read.item_name, "Its column with the names")
      ->type_name("COLUMN")
      ->group(rows);
  command
      .add_option("--unknown-items", flags.unknown_items,
                  "Items that are not in the list: error (strict) or add")
      ->type_name("WAY")
      ->capture_default_str()
      ->group(rows);
}

}  // namespace

void add_read_limit(CLI::App& command, double& megabytes) {
  command
      .add_option("--read-limit", megabytes,
                  "JSON, lists, matrices and snapshots are read whole: from gzip or a pipe at most "
                  "so many MB")
      ->type_name("MB")
      ->capture_default_str();
}

std::uint64_t read_limit_in_bytes(double megabytes) {
  constexpr double most_megabytes = 1e9;
  if (!(megabytes > 0) || megabytes > most_megabytes) {
    throw InputError({{},
                      fmt::format("--read-limit {}", megabytes),
                      "a number of megabytes above 0, up to 1e9",
                      ""});
  }
  return static_cast<std::uint64_t>(megabytes * (1U << 20U));
}

void check_standard_input(const std::vector<std::string>& names) {
  if (std::count(names.begin(), names.end(), "-") < 2) return;
  throw InputError({{},
                    "standard input (-) more than once",
                    "it once: it can be read only once",
                    "Put one of them into a file"});
}

std::vector<InputFile> InputFlags::files() const {
  std::vector<InputFile> files;
  for (const std::string& path : inputs) files.emplace_back(path, read_limit_in_bytes(read_limit));
  return files;
}

void add_similarity_flag(CLI::App& command, InputFlags& flags) {
  std::string text = "How answers become a similarity: auto (adds3 or adds4, by the questions)";
  for (const SimilarityRule& rule : similarity_rules()) {
    text += fmt::format("; {} ({})", rule.name, rule.description);
  }
  command.add_option("--similarity", flags.options.similarity, text)
      ->type_name("NAME")
      ->capture_default_str()
      ->group("Similarity");
}

void add_input_flags(CLI::App& command, InputFlags& flags, Sums sums) {
  add_file(command, "INPUT", flags.inputs,
           "Files of answers (CSV, TSV, JSON, JSON lines, npy, also gzip), directories of them, "
           "snapshots (.sim), a similarity matrix, or - for standard input")
      ->required();
  add_column_flags(command, flags.options.read);
  add_meaning_flags(command, flags);
  add_row_flags(command, flags, sums);
  command
      .add_option("--threads", flags.threads,
                  "Threads to use; 0 is one per core. The result is the same")
      ->type_name("N")
      ->capture_default_str();
  add_read_limit(command, flags.read_limit);
}

void protect_inputs(OutputGuard& guard, const std::vector<InputFile>& files,
                    const InputFlags& flags) {
  for (const InputFile& file : files) guard.protect(file.path);
  guard.protect(flags.options.read.items_file);
  guard.protect(flags.options.read.participants_file);
}

namespace {

[[noreturn]] void refuse(const char* flag, const std::string& value, const char* expected) {
  throw InputError({{}, std::string(flag) + " " + in_quotes(value), expected, ""});
}

bool one_of_two(const char* flag, const std::string& value, const char* yes, const char* no) {
  if (value == yes) return true;
  if (value == no) return false;
  throw InputError(
      {{}, std::string(flag) + " " + in_quotes(value), std::string(yes) + " or " + no, ""});
}

}  // namespace

LoadOptions finish(const InputFlags& flags) {
  LoadOptions options = flags.options;
  ReadOptions& read = options.read;
  read.read_limit = read_limit_in_bytes(flags.read_limit);
  std::vector<std::string> names = flags.inputs;
  names.push_back(read.items_file);
  names.push_back(read.participants_file);
  check_standard_input(names);
  if (flags.kind == "matrix") {
    options.matrix = true;
  } else if (!flags.kind.empty()) {
    read.kind = parse_screen_kind(flags.kind);
    if (!read.kind) {
      refuse("--kind", flags.kind,
             "triplets, quadruplets, odd-one-out, most-central, ranking, grid or matrix");
    }
  }
  if (!flags.answer_values.empty()) {
    read.answer_values = parse_answer_coding(flags.answer_values);
    if (!read.answer_values) {
      refuse("--answer-values", flags.answer_values, "item, 0/1, 1/2, +1/-1, left/right or column");
    }
  }
  if (!flags.answer_means.empty()) {
    read.picks_different = one_of_two("--answer-means", flags.answer_means, "different", "alike");
  }
  if (!flags.header.empty()) read.header = one_of_two("--header", flags.header, "yes", "no");
  read.add_unknown_items = one_of_two("--unknown-items", flags.unknown_items, "add", "error");
  read.keep_duplicates = one_of_two("--duplicates", flags.duplicates, "keep", "refuse");
  if (!flags.separator.empty()) {
    const std::string& s = flags.separator;
    if (s == "comma")
      read.separator = ',';
    else if (s == "semicolon")
      read.separator = ';';
    else if (s == "tab")
      read.separator = '\t';
    else if (s == "blanks")
      read.separator = ' ';
    else if (s.size() == 1)
      read.separator = s[0];
    else
      refuse("--separator", s, "comma, semicolon, tab, blanks or one character");
  }
  if (flags.repeats == "sum")
    options.repeats = Repeats::sum;
  else if (flags.repeats == "once")
    options.repeats = Repeats::once;
  else if (flags.repeats == "majority")
    options.repeats = Repeats::majority;
  else
    refuse("--repeats", flags.repeats, "sum, once or majority");
  if (flags.threads < 0) {
    refuse("--threads", std::to_string(flags.threads),
           "a number of threads, or 0 for one per core");
  }
  if (options.similarity != "auto") find_rule(options.similarity);
  validate(read);
  return options;
}

}  // namespace tertium::cli
