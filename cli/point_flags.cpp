#include "cli/point_flags.hpp"

#include <fmt/format.h>

#include "tertium/error.hpp"
#include "tertium/reading/read_options.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

constexpr const char* group = "Points";

[[noreturn]] void refuse_points(std::string found, std::string expected) {
  throw InputError({{}, std::move(found), std::move(expected), ""});
}

/// Flags of answers, by which points cannot be read.
void check_load(const LoadOptions& load) {
  const auto refuse_flag = [](const std::string& flag) {
    refuse_points(fmt::format("{} together with --points", flag),
                  "only flags of points: there are no answers to read");
  };
  for (const SetFlag& set : flags_set(load.read)) {
    if (set.flag != "--header" && set.flag != "--separator") refuse_flag(set.flag);
  }
  if (load.matrix) refuse_flag("--kind matrix");
  if (load.repeats != Repeats::sum) {
    refuse_flag(fmt::format("--repeats {}", to_string(load.repeats)));
  }
  if (load.similarity != "auto") refuse_flag(fmt::format("--similarity {}", load.similarity));
}

}  // namespace

void add_point_flags(CLI::App& command, PointFlags& flags) {
  command
      .add_flag("--points", flags.points,
                "The input is a table of points, not of answers: a row of numbers for each (CSV, "
                "TSV, npy), perhaps with a column of names. Groups are those of k-means: the sum "
                "of squared distances to their centres is the smallest")
      ->group(group);
  const auto add = [&](const char* flag, std::vector<std::string>& columns, const char* text) {
    command.add_option(flag, columns, text)
        ->type_name("LIST")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->group(group);
  };
  add("--columns", flags.options.columns,
      "Only these columns are coordinates (names or numbers from 1, separated by commas)");
  add("--exclude-columns", flags.options.exclude_columns, "These columns are left out");
  command
      .add_option("--name-column", flags.options.name_column,
                  "The column with the names of the points; without it the first that has no "
                  "numbers, if its values all differ")
      ->type_name("COLUMN")
      ->group(group);
}

std::optional<PointOptions> point_options(const PointFlags& flags, const LoadOptions& load) {
  if (flags.points) {
    check_load(load);
    PointOptions options = flags.options;
    options.header = load.read.header;
    options.separator = load.read.separator;
    return options;
  }
  const char* own = !flags.options.columns.empty()           ? "--columns"
                    : !flags.options.exclude_columns.empty() ? "--exclude-columns"
                    : flags.options.name_column              ? "--name-column"
                                                             : nullptr;
  if (own != nullptr)
    refuse_points(fmt::format("{} without --points", own), "both: it is about points");
  return {};
}

const InputFile& only_table(const std::vector<InputFile>& inputs) {
  if (inputs.size() != 1) {
    refuse_points(fmt::format("{} inputs with --points", inputs.size()), "one table of points");
  }
  return inputs.front();
}

}  // namespace tertium::cli
