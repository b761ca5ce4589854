#include "tertium/reading/record_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/number.hpp"
#include "tertium/core/similar_names.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/delimited.hpp"
#include "tertium/reading/json_records.hpp"
#include "tertium/reading/normalised_name.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t read_step = 1 << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

RecordTable read_delimited(std::string_view text, const std::string& file) {
  RecordTable result;
  result.table.file = file;
  RowSplitter splitter(text, 1, detect_dialect(text, true));
  Row row;
  if (!splitter.next(row)) throw InputError({{file}, "an empty file", "a header and rows", ""});
  result.table.columns.assign(row.cells.begin(), row.cells.end());
  while (splitter.next(row)) {
    if (row.cells.size() != result.table.columns.size()) {
      throw InputError({{file, row.line},
                        fmt::format("{} cells", row.cells.size()),
                        fmt::format("{} as in the header", result.table.columns.size()),
                        ""});
    }
    result.rows.emplace_back(row.cells.begin(), row.cells.end());
    result.lines.push_back(row.line);
  }
  return result;
}

}  // namespace

std::string read_all(ByteSource& source) {
  std::string text;
  std::size_t got = read_step;
  while (got == read_step) {
    const std::size_t before = text.size();
    text.resize(before + read_step);
    got = source.read(text.data() + before, read_step);
    text.resize(before + got);
  }
  return text;
}

std::optional<std::size_t> best_column(const Table& table, std::string_view accepted) {
  std::optional<std::size_t> best;
  std::size_t best_position = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::size_t position = position_in(accepted, normalised_name(table.columns[i]));
    if (position > 0 && (!best || position < best_position)) {
      best = i;
      best_position = position;
    }
  }
  return best;
}

std::size_t find_column(const Table& table, const std::string& name, std::string_view flag) {
  const std::string wanted = normalised_name(name);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i] == name ||
        (!wanted.empty() && normalised_name(table.columns[i]) == wanted)) {
      return i;
    }
  }
  if (const auto number = parse_integer(name);
      number && *number >= 1 && static_cast<std::size_t>(*number) <= table.columns.size()) {
    return static_cast<std::size_t>(*number) - 1;
  }
  throw InputError(
      {{table.file},
       fmt::format("no column {} (columns: {})", in_quotes(name), name_list(table.columns)),
       fmt::format("a column name or number for {}", flag),
       did_you_mean(similar_names(name, table.columns))});
}

RecordTable read_record_table(const std::string& path) {
  ByteSource source(path);
  std::string text = read_all(source);
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  if (const auto invalid = find_invalid_utf8(text)) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(*invalid);
    const auto line = 1 + static_cast<std::uint64_t>(std::count(text.begin(), end, '\n'));
    throw InputError({{source.name(), line},
                      fmt::format("the byte {}", in_quotes(text.substr(*invalid, 1))),
                      "UTF-8 text",
                      "Convert it, for example: iconv -f latin1 -t utf8"});
  }
  const std::string_view start = trimmed(text);
  if (start.empty()) throw InputError({{source.name()}, "an empty file", "a header and rows", ""});
  if (start[0] != '[' && start[0] != '{') return read_delimited(text, source.name());
  std::vector<RecordTable> tables = parse_json_tables(text, source.name());
  if (tables.empty()) {
    throw InputError({{source.name()}, "no records in the JSON", "an array of objects", ""});
  }
  return std::move(tables[0]);
}

}  // namespace tertium::internal
