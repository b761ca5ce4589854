#include "tertium/reading/record_table.hpp"

#include <algorithm>
#include <unordered_map>

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

RecordTable read_delimited(std::string document, const std::string& file) {
  RecordTable result;
  result.table.file = file;
  result.texts = std::make_shared<std::deque<std::string>>();
  const std::string_view text = result.texts->emplace_back(std::move(document));
  RowSplitter splitter(text, 1, detect_dialect(text, true));
  Row row;
  if (!splitter.next(row)) throw InputError({{file}, "an empty file", "a header and rows", ""});
  if (row.cells.size() > most_columns) {
    throw InputError({{file, row.line},
                      fmt::format("more than {} columns", most_columns),
                      "a header and rows",
                      ""});
  }
  result.table.columns.assign(row.cells.begin(), row.cells.end());
  const auto kept = [&](std::string_view cell) -> std::string_view {
    const bool in_text = cell.data() >= text.data() && cell.data() <= text.data() + text.size();
    return in_text ? cell : result.texts->emplace_back(cell);
  };
  while (splitter.next(row)) {
    if (row.cells.size() != result.table.columns.size()) {
      throw InputError({{file, row.line},
                        fmt::format("{} cells", row.cells.size()),
                        fmt::format("{} as in the header", result.table.columns.size()),
                        ""});
    }
    for (std::uint32_t i = 0; i < row.cells.size(); ++i) {
      result.cells.emplace_back(i, kept(row.cells[i]));
    }
    result.records.push_back({row.line, 0, result.cells.size()});
  }
  return result;
}

}  // namespace

void RecordTable::Cell::refuse_length() {
  throw InputError({{}, "a text of 4 GB or more", "shorter texts", ""});
}

struct RecordTable::Columns {
  std::unordered_map<std::string, std::uint32_t> by_name;
  std::vector<std::string_view> names;  // in the order of the columns
  std::uint32_t expected = 0;           // the column that came after the last one
};

std::uint32_t RecordTable::column(std::string_view name) {
  if (!known_columns) known_columns = std::make_shared<Columns>();
  Columns& known = *known_columns;
  // Records mostly have the same keys in the same order.
  if (known.expected < known.names.size() && known.names[known.expected] == name) {
    return known.expected++;
  }
  const auto [entry, added] =
      known.by_name.emplace(name, static_cast<std::uint32_t>(table.columns.size()));
  if (added) {
    table.columns.emplace_back(name);
    known.names.push_back(entry->first);
  }
  known.expected = entry->second + 1;
  if (known.expected == known.names.size()) known.expected = 0;
  return entry->second;
}

void RecordTable::use_columns(const Table& other) {
  std::unordered_map<std::string_view, std::uint32_t> place;
  for (const std::string& name : other.columns) {
    place.emplace(name, static_cast<std::uint32_t>(place.size()));
  }
  const auto nowhere = static_cast<std::uint32_t>(other.columns.size());
  std::vector<std::uint32_t> moved;
  for (const std::string& name : table.columns) {
    const auto found = place.find(name);
    moved.push_back(found == place.end() ? nowhere : found->second);
  }
  for (Cell& cell : cells) cell.column = moved[cell.column];
  table = other;
}

RecordRows::RecordRows(const RecordTable& records, bool trim, std::size_t first, std::size_t end)
    : records_(records), trim_(trim), next_(first), end_(std::min(end, records.records.size())) {
  row_.cells.resize(records.table.columns.size());
}

void RecordRows::put(std::span<const RecordTable::Cell> cells) {
  marks_.push_back(before_.size());
  for (const RecordTable::Cell& cell : cells) {
    if (cell.column >= row_.cells.size()) continue;
    std::string_view& place = row_.cells[cell.column];
    before_.emplace_back(cell.column, place);
    place = trim_ ? trimmed(cell.text()) : cell.text();
  }
}

/// Undoes the last `count` times that cells were put.
void RecordRows::take_back(std::size_t count) {
  if (count == 0) return;
  const std::size_t mark = marks_[marks_.size() - count];
  marks_.resize(marks_.size() - count);
  for (; before_.size() > mark; before_.pop_back()) {
    row_.cells[before_.back().first] = before_.back().second;
  }
}

void RecordRows::change_group(std::size_t group) {
  if (group == (groups_.empty() ? 0 : groups_.back())) return;
  std::vector<std::size_t> chain;
  for (; group != 0; group = records_.groups[group].parent) chain.push_back(group);
  std::reverse(chain.begin(), chain.end());
  const auto [here, there] =
      std::mismatch(groups_.begin(), groups_.end(), chain.begin(), chain.end());
  take_back(static_cast<std::size_t>(groups_.end() - here));
  for (auto added = there; added != chain.end(); ++added) put(records_.groups[*added].cells);
  groups_ = std::move(chain);
}

bool RecordRows::next() {
  if (in_row_) take_back(1);
  in_row_ = next_ < end_;
  if (!in_row_) return false;
  const RecordTable::Record& record = records_.records[next_];
  const std::size_t begin = next_ == 0 ? 0 : records_.records[next_ - 1].cells_end;
  change_group(record.group);
  put(std::span(records_.cells).subspan(begin, record.cells_end - begin));
  row_.line = record.line;
  ++next_;
  return true;
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

RecordTable read_record_table(const InputFile& file) {
  const std::shared_ptr<ByteSource> opened = file.open();
  ByteSource& source = *opened;
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
  if (start[0] != '[' && start[0] != '{') {
    return read_delimited(std::move(text), source.name());
  }
  std::vector<RecordTable> tables = parse_json_tables(std::move(text), source.name(), [] {});
  if (tables.empty()) {
    throw InputError({{source.name()}, "no records in the JSON", "an array of objects", ""});
  }
  return std::move(tables[0]);
}

}  // namespace tertium::internal
