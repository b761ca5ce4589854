#include "tertium/reading/binding.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/normalised_name.hpp"
#include "tertium/reading/record_table.hpp"

namespace tertium::internal {
namespace {

/// Column names of a table, ready to be compared: each name is looked at once, however many layouts
/// are tried.
class ColumnFinder {
 public:
  explicit ColumnFinder(const Table& table) : table_(table) {
    for (const std::string& column : table.columns) {
      names_.push_back(normalised_name(column));
      first_with_.try_emplace(names_.back(), names_.size() - 1);
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      first_written_.try_emplace(table.columns[i], i);
    }
  }

  /// The column whose name stands first in `accepted`.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view accepted) const {
    if (!table_.has_header) return std::nullopt;
    while (!accepted.empty()) {
      const std::string_view word = accepted.substr(0, accepted.find(' '));
      if (const auto found = first_with_.find(word); found != first_with_.end()) {
        return found->second;
      }
      accepted.remove_prefix(std::min(word.size() + 1, accepted.size()));
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::size_t> find_or(const std::optional<std::string>& chosen,
                                                   std::string_view accepted,
                                                   std::string_view flag) const {
    if (chosen) return find_named(*chosen, flag);
    return find(accepted);
  }

  /// All columns whose name is in `accepted`.
  [[nodiscard]] std::vector<std::size_t> find_all(std::string_view accepted) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < names_.size() && table_.has_header; ++i) {
      if (position_in(accepted, names_[i]) > 0) found.push_back(i);
    }
    return found;
  }

  /// As `find_column` does.
  [[nodiscard]] std::size_t find_named(const std::string& name, std::string_view flag) const {
    const std::string wanted = normalised_name(name);
    const auto written = first_written_.find(name);
    const auto like = wanted.empty() ? first_with_.end() : first_with_.find(wanted);
    const bool is_written = written != first_written_.end();
    const bool is_like = like != first_with_.end();
    if (is_written && is_like) return std::min(written->second, like->second);
    if (is_written) return written->second;
    if (is_like) return like->second;
    return find_column(table_, name, flag);
  }

  /// Columns whose name is one of `accepted` followed by a number, in the order of the numbers.
  [[nodiscard]] std::vector<std::size_t> find_series(std::string_view accepted) const {
    std::vector<std::pair<unsigned long, std::size_t>> found;
    for (std::size_t i = 0; i < names_.size() && table_.has_header; ++i) {
      std::string_view name = names_[i];
      std::size_t digits = 0;
      while (digits < name.size() &&
             std::isdigit(static_cast<unsigned char>(name[name.size() - 1 - digits])) != 0) {
        ++digits;
      }
      if (digits == 0 || digits > 6) continue;
      const std::string_view prefix = name.substr(0, name.size() - digits);
      if (position_in(accepted, prefix) == 0) continue;
      found.emplace_back(std::stoul(std::string(name.substr(name.size() - digits))), i);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::size_t> columns;
    for (const auto& [number, column] : found) columns.push_back(column);
    return columns;
  }

 private:
  const Table& table_;
  std::vector<std::string> names_;  // normalised
  std::map<std::string, std::size_t, std::less<>> first_with_;
  std::map<std::string_view, std::size_t> first_written_;
};

/// Flags that a layout has no use for must not be ignored: it is then not the layout meant.
bool has_use_for(const Layout& layout, const ReadOptions& options) {
  const bool direct = !layout.anchor.empty() && layout.picked && layout.options.size() == 2;
  if (options.shown.has_value() != layout.in_order_told) return false;
  if (options.kind && layout.kind && options.kind != layout.kind) return false;
  if (options.anchor && layout.anchor.empty()) return false;
  if ((options.near || options.far) && !direct) return false;
  if (options.answer && layout.answer.empty()) return false;
  if ((options.option1 || options.option2) && (layout.options.size() < 2 || direct)) return false;
  if (options.option3 && layout.options.size() < 3) return false;
  return !options.odd || !layout.kind || layout.kind == ScreenKind::odd_one_out;
}

std::optional<Binding> try_layout(const Layout& layout, const ColumnFinder& columns,
                                  const ReadOptions& options) {
  if (!has_use_for(layout, options)) return std::nullopt;
  Binding binding;
  binding.title = layout.title;
  binding.picked = layout.picked;
  binding.coding = options.answer_values ? options.answer_values : layout.coding;
  if (!layout.anchor.empty()) {
    binding.anchor = columns.find_or(options.anchor, layout.anchor, "--anchor");
    if (!binding.anchor) return std::nullopt;
  }
  const bool direct = binding.anchor && layout.picked && layout.options.size() == 2;
  for (std::size_t i = 0; i < layout.options.size(); ++i) {
    std::optional<std::size_t> column;
    if (options.odd && layout.picked == i) {
      column = columns.find_or(options.odd, "", "--odd");
    } else if (direct) {
      column = i == 0 ? columns.find_or(options.near, layout.options[i], "--near")
                      : columns.find_or(options.far, layout.options[i], "--far");
    } else if (i < 3) {
      const auto& chosen = i == 0 ? options.option1 : i == 1 ? options.option2 : options.option3;
      column = columns.find_or(chosen, layout.options[i], fmt::format("--option{}", i + 1));
    } else {
      column = columns.find(layout.options[i]);
    }
    if (!column) return std::nullopt;
    binding.options.push_back(*column);
  }
  if (!layout.series.empty()) {
    const auto series = columns.find_series(layout.series);
    if (series.empty() || series.size() + binding.options.size() < 2) return std::nullopt;
    binding.options.insert(binding.options.end(), series.begin(), series.end());
  }
  if (!layout.list.empty()) {
    binding.list = columns.find(layout.list);
    if (!binding.list) return std::nullopt;
    binding.shown_places = places_shown(options);
  }
  if (!layout.answer.empty()) {
    binding.answer = options.odd ? columns.find_or(options.odd, "", "--odd")
                                 : columns.find_or(options.answer, layout.answer, "--answer");
    if (!binding.answer) return std::nullopt;
  }
  for (const std::string_view votes : layout.votes) {
    const auto column = columns.find(votes);
    if (!column) return std::nullopt;
    binding.votes.push_back(*column);
  }
  for (const std::string_view shown : layout.shown) {
    if (const auto column = columns.find(shown)) binding.shown.push_back(*column);
  }
  if (binding.shown.size() != 2) binding.shown.clear();
  return binding;
}

std::string_view flag_of(const BoundCondition& bound) {
  return bound.excludes ? "--exclude" : "--where";
}

/// `--participant file` names no column but that the file is one person's.
bool names_file(const ReadOptions& options, const ColumnFinder& columns) {
  return options.participant == "file" && columns.find_all("file").empty();
}

/// Columns that tell about the row, whatever the layout.
void bind_common_columns(Binding& binding, const ColumnFinder& columns,
                         const ReadOptions& options) {
  const CommonColumns& common = common_columns();
  binding.weight =
      columns.find_or(options.weight, binding.votes.empty() ? common.weight : "", "--weight");
  binding.participant =
      names_file(options, columns)
          ? std::nullopt
          : columns.find_or(options.participant, common.participant, "--participant");
  binding.catch_trial = columns.find(common.catch_trial);
  binding.conditions = conditions_of(options);
  for (BoundCondition& bound : binding.conditions) {
    bound.column = columns.find_named(bound.condition.column, flag_of(bound));
  }
}

/// The header says nothing: 0, 1, 2, as pandas names columns without names, perhaps behind the
/// empty name of its index.
bool is_bare_header(const Table& table) {
  if (!table.has_header) return false;
  const std::size_t first = !table.columns.empty() && is_index_name(table.columns[0]) ? 1 : 0;
  for (std::size_t i = first; i < table.columns.size(); ++i) {
    if (table.columns[i] != std::to_string(i - first)) return false;
  }
  return table.columns.size() > first;
}

[[noreturn]] void ask_about_index(const Table& table) {
  throw InputError({{table.file},
                    "four columns without names, and the first one counts the rows",
                    "to be told whether that is an index, as pandas writes it",
                    "Add --kind triplets (the first column is left out) or --kind quadruplets"});
}

/// Columns by position, for a table whose names say nothing: those that no flag has taken.
std::optional<Binding> by_position(const Table& table, const ReadOptions& options) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < table.columns.size(); ++i) free.push_back(i);
  const auto take = [&](const std::optional<std::string>& chosen, std::string_view flag) {
    if (chosen) std::erase(free, find_column(table, *chosen, flag));
  };
  take(options.weight, "--weight");
  const bool by_file = options.participant == "file" && !best_column(table, "file");
  if (!by_file) take(options.participant, "--participant");
  // A condition may be about an item: its column is taken only where there are more than items.
  const std::size_t items = options.kind == ScreenKind::quadruplets ? 4 : 3;
  for (const BoundCondition& bound : conditions_of(options)) {
    const std::size_t column = find_column(table, bound.condition.column, flag_of(bound));
    if (free.size() > items) std::erase(free, column);
  }
  const bool index_is_sure =
      table.has_header && !table.columns.empty() && is_index_name(table.columns[0]);
  if (index_is_sure) std::erase(free, std::size_t{0});
  const bool odd_by_place = options.odd == "first" || options.odd == "last";
  std::optional<std::size_t> answer;
  if (options.answer) answer = find_column(table, *options.answer, "--answer");
  if (options.odd && !odd_by_place) answer = find_column(table, *options.odd, "--odd");
  if (answer && free.size() > 3) std::erase(free, *answer);

  const bool kind_told = options.kind || options.odd;
  if (table.counts_rows && free.size() == 4 && free[0] == 0 && !kind_told) ask_about_index(table);
  ScreenKind kind = free.size() == 4 ? ScreenKind::quadruplets : ScreenKind::triplets;
  if (options.odd) kind = ScreenKind::odd_one_out;
  if (options.kind) kind = *options.kind;
  const std::size_t expected = kind == ScreenKind::quadruplets ? 4 : 3;
  const bool has_index = table.counts_rows && kind_told && free.size() == expected + 1;
  if (has_index && free[0] == 0) free.erase(free.begin());
  if (free.size() != expected) return std::nullopt;

  Binding binding;
  binding.kind = kind;
  binding.options = free;
  binding.coding = options.answer_values;
  switch (kind) {
    case ScreenKind::triplets:
      binding.title = "columns in the order anchor, near, far";
      binding.anchor = free[0];
      binding.options = {free[1], free[2]};
      binding.picked = 0;
      break;
    case ScreenKind::quadruplets:
      binding.title = "columns in the order i, j, k, l";
      binding.picked = 0;
      break;
    case ScreenKind::most_central:
      binding.title = "columns in the order central, other, other";
      binding.picked = 0;
      break;
    case ScreenKind::odd_one_out: {
      binding.title = "three items and the odd one";
      if (odd_by_place) binding.picked = options.odd == "first" ? 0 : 2;
      const auto among = answer ? std::find(free.begin(), free.end(), *answer) : free.end();
      if (among != free.end()) binding.picked = static_cast<std::size_t>(among - free.begin());
      if (!binding.picked) binding.answer = answer;
      if (!binding.picked && !answer) {
        throw InputError({{table.file},
                          "three columns of items",
                          "to be told which item is the odd one",
                          "Add --odd first, --odd last or --odd COLUMN"});
      }
      break;
    }
    case ScreenKind::ranking:
    case ScreenKind::grid:
      return std::nullopt;
  }
  return binding;
}

bool names_positions_only(const ReadOptions& options) {
  return !options.anchor && !options.near && !options.far && !options.option1 && !options.option2 &&
         !options.shown;
}

/// The columns by what they are for, in words.
std::vector<std::pair<std::string, std::size_t>> roles(const Binding& binding) {
  std::vector<std::pair<std::string, std::size_t>> roles;
  const auto add = [&](std::string role, std::optional<std::size_t> column) {
    if (column) roles.emplace_back(std::move(role), *column);
  };
  add("anchor", binding.anchor);
  const bool direct = binding.anchor && binding.picked && binding.options.size() == 2;
  for (std::size_t i = 0; i < binding.options.size(); ++i) {
    const bool picked = binding.picked == i;
    std::string role = fmt::format("option {}", i + 1);
    if (direct) role = picked ? "near" : "far";
    if (picked && binding.kind == ScreenKind::odd_one_out) role = "odd";
    if (picked && binding.kind == ScreenKind::most_central) role = "central";
    add(std::move(role), binding.options[i]);
  }
  add("options", binding.list);
  add("answer", binding.answer);
  for (std::size_t i = 0; i < binding.votes.size(); ++i) {
    add(fmt::format("votes for option {}", i + 1), binding.votes[i]);
  }
  for (std::size_t i = 0; i < binding.shown.size(); ++i) {
    add(fmt::format("place {} on the screen", i + 1), binding.shown[i]);
  }
  add("weight", binding.weight);
  add("participant", binding.participant);
  add("catch trial", binding.catch_trial);
  return roles;
}

/// Throws InputError if other columns could play a role as well: which one is meant is not
/// guessed. Columns with a role of their own are no rivals.
void check_rivals(const Layout& layout, const Binding& binding, const ColumnFinder& columns,
                  const Table& table, const ReadOptions& options) {
  const std::vector<std::size_t> used = columns_used(binding);
  const auto check = [&](std::string_view accepted, std::string_view flag, std::size_t taken) {
    std::vector<std::string> rivals;
    for (const std::size_t column : columns.find_all(accepted)) {
      const bool free = std::find(used.begin(), used.end(), column) == used.end();
      if (free || column == taken) rivals.push_back(table.columns[column]);
    }
    if (rivals.size() < 2) return;
    std::vector<std::string> remedies;
    for (const std::string& rival : rivals) remedies.push_back(fmt::format("{} {}", flag, rival));
    throw InputError({{table.file},
                      fmt::format("the columns {}", name_list(rivals)),
                      fmt::format("to be told which of them {} means", flag),
                      fmt::format("Add {}", fmt::join(remedies, " or "))});
  };
  if (binding.anchor && !options.anchor) check(layout.anchor, "--anchor", *binding.anchor);
  if (binding.answer && !options.answer && !options.odd) {
    check(layout.answer, "--answer", *binding.answer);
  }
  const bool direct = binding.anchor && layout.picked && layout.options.size() == 2;
  for (std::size_t i = 0; i < std::min<std::size_t>(layout.options.size(), 3); ++i) {
    if (direct && !(i == 0 ? options.near : options.far)) {
      check(layout.options[i], i == 0 ? "--near" : "--far", binding.options[i]);
    } else if (!direct && !layout.picked) {
      const auto& told = i == 0 ? options.option1 : i == 1 ? options.option2 : options.option3;
      if (!told) check(layout.options[i], fmt::format("--option{}", i + 1), binding.options[i]);
    }
  }
}

/// Throws InputError if one column plays two roles.
void check_roles(const Binding& binding, const Table& table) {
  std::map<std::size_t, std::string> role_of;
  for (const auto& [role, column] : roles(binding)) {
    const auto [before, added] = role_of.emplace(column, role);
    if (added || role.starts_with("place ")) continue;
    throw InputError({{table.file},
                      fmt::format("the column {} as {} and as {}", in_quotes(table.columns[column]),
                                  before->second, role),
                      "a column of its own for each",
                      "Name another one with a flag"});
  }
}

/// Fills in what a layout leaves open, from the flags.
void settle_kind(Binding& binding, const Layout& layout, const Table& table,
                 const ReadOptions& options) {
  if (!layout.kind && !options.kind && !options.odd) {
    throw InputError(
        {{table.file},
         fmt::format("three items and the one picked (columns {})", name_list(table.columns)),
         "to be told what picking meant",
         "Add --kind odd-one-out or --kind most-central"});
  }
  binding.kind = layout.kind    ? *layout.kind
                 : options.kind ? *options.kind
                                : ScreenKind::odd_one_out;
  const auto different = options.picks_different ? options.picks_different : layout.picks_different;
  if (!different) {
    throw InputError({{table.file},
                      "two pairs and an answer",
                      "to be told whether the answer names the pair that is more alike",
                      "Add --answer-means alike or --answer-means different"});
  }
  binding.picks_different = *different;
}

}  // namespace

bool is_index_name(std::string_view name) {
  return name.empty() || normalised_name(name) == "unnamed0";
}

bool fits_a_layout(const Table& table, const ReadOptions& options) {
  const ColumnFinder columns(table);
  try {
    return std::any_of(layouts().begin(), layouts().end(), [&](const Layout& layout) {
      return try_layout(layout, columns, options).has_value();
    });
  } catch (const InputError&) {
    return false;  // a flag names a column that is not there
  }
}

Binding bind_columns(const Table& table, const ReadOptions& options) {
  const ColumnFinder columns(table);
  if (options.odd != "first" && options.odd != "last") {
    for (const Layout& layout : layouts()) {
      if (auto binding = try_layout(layout, columns, options)) {
        settle_kind(*binding, layout, table, options);
        bind_common_columns(*binding, columns, options);
        check_rivals(layout, *binding, columns, table, options);
        check_roles(*binding, table);
        return *binding;
      }
    }
  }
  const bool positions_mean_something =
      !table.has_header || options.kind || options.odd || is_bare_header(table);
  if (positions_mean_something && names_positions_only(options)) {
    if (auto binding = by_position(table, options)) {
      bind_common_columns(*binding, columns, options);
      check_roles(*binding, table);
      return *binding;
    }
  }
  throw InputError({{table.file},
                    fmt::format("{} columns: {}", table.columns.size(), name_list(table.columns)),
                    options.kind
                        ? fmt::format("the columns of {}", to_string(*options.kind))
                        : std::string("columns that name the items and the answer, such as "
                                      "anchor, near, far"),
                    "Name them with --anchor, --near, --far, or --anchor, --option1, --option2, "
                    "--answer, or say what they are with --kind"});
}

std::vector<std::size_t> columns_used(const Binding& binding) {
  std::vector<std::size_t> columns = binding.options;
  columns.insert(columns.end(), binding.votes.begin(), binding.votes.end());
  columns.insert(columns.end(), binding.shown.begin(), binding.shown.end());
  for (const auto& column : {binding.anchor, binding.list, binding.answer, binding.weight,
                             binding.participant, binding.catch_trial}) {
    if (column) columns.push_back(*column);
  }
  for (const BoundCondition& bound : binding.conditions) columns.push_back(bound.column);
  return columns;
}

std::vector<std::pair<std::string, std::string>> describe(const Binding& binding,
                                                          const Table& table) {
  std::vector<std::pair<std::string, std::string>> named;
  for (auto& [role, column] : roles(binding)) named.emplace_back(role, table.columns[column]);
  if (!binding.participant_name.empty()) named.emplace_back("participant", "name of the file");
  return named;
}

}  // namespace tertium::internal
