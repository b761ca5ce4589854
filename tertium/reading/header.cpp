#include "tertium/reading/header.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/binding.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t rows_to_compare = 10000;

/// Fewer rows may begin with 0, 1, 2 by chance.
constexpr std::size_t fewest_counted_rows = 4;

bool is_number(std::string_view text) { return parse_number(text).has_value(); }

/// The names in the first row mean nothing to us. They are items if they come again further down, a
/// header if what follows is numbers or if flags name columns; else the file does not tell.
bool is_header_by_contrast(const Row& first, RowSplitter& rest, const std::string& file,
                           const ReadOptions& options) {
  const std::unordered_set<std::string_view> names(first.cells.begin(), first.cells.end());
  bool all_numbers = true;
  std::size_t rows = 0;
  Row row;
  for (; rows < rows_to_compare && rest.next(row); ++rows) {
    for (const std::string_view cell : row.cells) {
      if (names.contains(cell)) return false;
      all_numbers = all_numbers && is_number(cell);
    }
  }
  if (rows > 0 && all_numbers) return true;
  if (options.anchor || options.near || options.option1 || options.answer) return true;
  throw InputError({{file, first.line},
                    fmt::format("{}, ... in the first row", in_quotes(first.cells[0])),
                    "to be told whether the first row is a header",
                    "Add --header yes or --header no"});
}

/// What the rows under the first one say about it.
struct RowsBelow {
  std::size_t rows = 0;
  bool count_on = true;  // from the number in its first cell, by one in each row
  bool any_numbers = false;
  std::unordered_set<std::string> first_row_again;  // its cells that come again
};

RowsBelow look_below(const Row& first, RowSplitter rest) {
  RowsBelow found;
  const std::unordered_set<std::string_view> names(first.cells.begin(), first.cells.end());
  std::optional<std::int64_t> number = parse_integer(first.cells[0]);
  found.count_on = number && (*number == 0 || *number == 1);
  Row row;
  for (; found.rows < rows_to_compare && rest.next(row); ++found.rows) {
    for (const std::string_view cell : row.cells) {
      if (names.contains(cell)) found.first_row_again.emplace(cell);
      found.any_numbers = found.any_numbers || is_number(cell);
    }
    if (!found.count_on) continue;
    const auto next = parse_integer(row.cells[0]);
    found.count_on = next && *next == *number + 1;
    number = next;
  }
  return found;
}

/// 0, 1, 2, ...: what pandas calls columns without names.
bool counts_columns(const Row& first, std::size_t from) {
  for (std::size_t i = from; i < first.cells.size(); ++i) {
    if (first.cells[i] != std::to_string(i - from)) return false;
  }
  return first.cells.size() > from;
}

/// The first row is 0, 1, 2: items, or the names that pandas gives to columns. If they are items,
/// they come again. Throws InputError if they do not in many rows.
void ask_about_numbers(const Row& first, const RowsBelow& below, const std::string& file) {
  constexpr std::size_t many_rows = 10;
  if (below.rows < many_rows || below.first_row_again.size() == first.cells.size()) return;
  throw InputError({{file, first.line},
                    "0, 1, 2 in the first row, which do not all come again",
                    "to be told whether it is a header, as pandas writes it, or an answer",
                    "Add --header yes or --header no"});
}

}  // namespace

Table find_columns(const Row& first, RowSplitter rest, const std::string& file,
                   const ReadOptions& options) {
  Table table{file, {first.cells.begin(), first.cells.end()}, true, "line"};
  bool header = false;
  const RowsBelow below = look_below(first, rest);
  const bool counts = counts_columns(first, 0);
  if (options.header) {
    header = *options.header;
  } else if (is_index_name(first.cells[0]) && counts_columns(first, 1)) {
    header = true;
  } else if (counts && below.rows > 0 && !below.any_numbers) {
    header = true;
  } else if (!std::all_of(first.cells.begin(), first.cells.end(), is_number)) {
    header = fits_a_layout(table, options) || is_header_by_contrast(first, rest, file, options);
  }
  if (header) return table;
  table.has_header = false;
  table.counts_rows = below.count_on && below.rows + 1 >= fewest_counted_rows;
  if (counts && !options.header) {
    ask_about_numbers(first, below, file);
    table.may_be_header = true;
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i] = std::to_string(i + 1);
  return table;
}

void add_unnamed_column(Table& table, RowSplitter rows) {
  Row row;
  if (table.has_header && rows.next(row) && row.cells.size() == table.columns.size() + 1) {
    table.columns.insert(table.columns.begin(), "");
  }
}

void skip_separator_line(RowSplitter& rows) {
  const std::string_view line = rows.rest().substr(0, rows.rest().find('\n'));
  if (line.starts_with("sep=") && trimmed(line).size() <= 5) rows.skip_to(line.size() + 1, 1);
}

}  // namespace tertium::internal
