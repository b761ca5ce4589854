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

constexpr int rows_to_compare = 10000;

bool is_number(std::string_view text) { return parse_number(text).has_value(); }

/// The names in the first row mean nothing to us. They are items if they come again further down, a
/// header if what follows is numbers or if flags name columns; else the file does not tell.
bool is_header_by_contrast(const Row& first, RowSplitter& rest, const std::string& file,
                           const ReadOptions& options) {
  const std::unordered_set<std::string_view> names(first.cells.begin(), first.cells.end());
  bool all_numbers = true;
  int rows = 0;
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

}  // namespace

Table find_columns(const Row& first, RowSplitter rest, const std::string& file,
                   const ReadOptions& options) {
  Table table{file, {first.cells.begin(), first.cells.end()}, true, "line"};
  bool header = false;
  if (options.header) {
    header = *options.header;
  } else if (!std::all_of(first.cells.begin(), first.cells.end(), is_number)) {
    header = fits_a_layout(table, options) || is_header_by_contrast(first, rest, file, options);
  }
  if (header) return table;
  table.has_header = false;
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
