#include "tertium/reading/json_records.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

using Json = nlohmann::ordered_json;

/// Arrays of at most this many plain values in a column get a column per element.
constexpr std::size_t longest_tuple = 4;

/// Deeper documents are no answers, and would exhaust the stack.
constexpr int deepest_json = 100;

/// Where NEXT keeps its answers: an object with a key per participant.
constexpr std::string_view participant_map = "participant_responses";

std::string cell_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.dump();
}

bool is_array_of(const Json& value, Json::value_t type) {
  return value.is_array() && !value.empty() &&
         std::all_of(value.begin(), value.end(), [&](const Json& v) { return v.type() == type; });
}

/// [{"label": "left", "index": 5}, ...]: a list of named values.
bool is_labelled_list(const Json& value) {
  return is_array_of(value, Json::value_t::object) &&
         std::all_of(value.begin(), value.end(), [](const Json& v) {
           return v.contains("label") && v["label"].is_string() && v.contains("index") &&
                  v["index"].is_primitive();
         });
}

using Fields = std::vector<std::pair<std::string, std::string>>;

/// Adds the fields of one object; nested tables are left out.
void add_fields(const Json& object, Fields& fields) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_primitive()) {
      fields.emplace_back(key, cell_text(value));
    } else if (is_labelled_list(value)) {
      for (const Json& entry : value) {
        fields.emplace_back(entry["label"].get<std::string>(), cell_text(entry["index"]));
      }
    } else if (value.is_array() && !is_array_of(value, Json::value_t::object)) {
      fields.emplace_back(key, value.dump());
    }
  }
}

class TableCollector {
 public:
  explicit TableCollector(std::string file) : file_(std::move(file)) {}

  void walk(const Json& value, const std::string& path, const Fields& inherited) {
    if (value.is_array()) {
      walk_array(value, path, inherited);
    } else if (value.is_object()) {
      walk_object(value, path, inherited);
    }
  }

  std::vector<RecordTable> take() {
    std::vector<RecordTable> tables;
    for (auto& path : order_) tables.push_back(std::move(tables_.at(path)));
    tables_.clear();
    order_.clear();
    positions_.clear();
    return tables;
  }

 private:
  void walk_array(const Json& array, const std::string& path, const Fields& inherited) {
    for (const Json& element : array) {
      if (element.is_object()) {
        walk_record(element, path, inherited);
      } else if (element.is_array()) {
        RecordTable& table = table_at(path);
        table.table.has_header = false;
        Fields fields;
        for (std::size_t i = 0; i < element.size(); ++i) {
          fields.emplace_back(std::to_string(i + 1), cell_text(element[i]));
        }
        add_row(table, fields);
      }
    }
  }

  /// An object in an array: a record itself, or a wrapper around an array of records.
  void walk_record(const Json& record, const std::string& path, const Fields& inherited) {
    Fields fields = inherited;
    add_fields(record, fields);
    bool wraps_records = false;
    for (const auto& [key, value] : record.items()) {
      const bool nested = is_array_of(value, Json::value_t::object) && !is_labelled_list(value);
      if (!nested && !value.is_object()) continue;
      wraps_records = wraps_records || nested;
      walk(value, path + "/" + key, fields);
    }
    if (!wraps_records && !fields.empty()) add_row(table_at(path), fields);
  }

  void walk_object(const Json& object, const std::string& path, const Fields& inherited) {
    Fields fields = inherited;
    std::map<std::size_t, std::vector<std::string>> columns_by_length;
    for (const auto& [key, value] : object.items()) {
      if (value.is_primitive()) {
        fields.emplace_back(key, cell_text(value));
      } else if (value.is_array() && !value.empty() && !is_array_of(value, Json::value_t::object)) {
        columns_by_length[value.size()].push_back(key);
      }
    }
    for (const auto& [length, keys] : columns_by_length) {
      if (keys.size() > 1) {
        add_columns(object, keys, path + "/" + keys[0], fields);
      } else if (object[keys[0]][0].is_array()) {
        walk(object[keys[0]], path + "/" + keys[0], fields);
      }
    }
    for (const auto& [key, value] : object.items()) {
      if (key == participant_map && value.is_object()) {
        walk_participants(value, path + "/" + key, fields);
      } else if (value.is_object() || is_array_of(value, Json::value_t::object)) {
        walk(value, path + "/" + key, fields);
      }
    }
  }

  /// {"participant": [records], ...}: one table, the keys are a column of it.
  void walk_participants(const Json& map, const std::string& path, const Fields& inherited) {
    for (const auto& [participant, records] : map.items()) {
      Fields fields = inherited;
      fields.emplace_back("participant", participant);
      walk(records, path, fields);
    }
  }

  void add_columns(const Json& object, const std::vector<std::string>& keys,
                   const std::string& path, const Fields& inherited) {
    RecordTable& table = table_at(path);
    for (std::size_t row = 0; row < object[keys[0]].size(); ++row) {
      Fields fields = inherited;
      for (const std::string& key : keys) {
        const Json& value = object[key][row];
        fields.emplace_back(key, cell_text(value));
        if (!value.is_array() || value.size() > longest_tuple) continue;
        for (std::size_t i = 0; i < value.size(); ++i) {
          fields.emplace_back(fmt::format("{}.{}", key, i + 1), cell_text(value[i]));
        }
      }
      add_row(table, fields);
    }
  }

  RecordTable& table_at(const std::string& path) {
    const auto [entry, added] = tables_.try_emplace(path);
    if (added) {
      order_.push_back(path);
      entry->second.table = {file_, {}, true, "record"};
    }
    return entry->second;
  }

  void add_row(RecordTable& table, const Fields& fields) {
    auto& columns = table.table.columns;
    auto& positions = positions_[&table];
    std::vector<std::string> cells(columns.size());
    for (const auto& [name, text] : fields) {
      const auto [entry, added] = positions.try_emplace(name, columns.size());
      if (added) {
        columns.push_back(name);
        cells.emplace_back();
      }
      cells[entry->second] = text;
    }
    table.rows.push_back(std::move(cells));
    table.lines.push_back(table.rows.size());
  }

  std::string file_;
  std::map<std::string, RecordTable> tables_;
  std::vector<std::string> order_;
  std::map<const RecordTable*, std::map<std::string, std::size_t>> positions_;
};

/// Records may lack the columns that came later.
void fill_up(RecordTable& table) {
  for (auto& row : table.rows) row.resize(table.table.columns.size());
}

struct TooDeep {};

/// Throws TooDeep before a deeper document is built.
bool refuse_depth(int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
  if (depth > deepest_json) throw TooDeep{};
  return true;
}

Json parse(std::string_view text, const std::string& file, std::uint64_t first_line) {
  try {
    return Json::parse(text, refuse_depth);
  } catch (const TooDeep&) {
    throw InputError({{file, first_line}, "JSON nested more than 100 deep", "records", ""});
  } catch (const Json::parse_error& error) {
    const std::size_t at = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto before = text.substr(0, at);
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
    const auto line_start = before.rfind('\n');
    const std::size_t column = line_start == std::string_view::npos ? at : at - line_start - 1;
    throw InputError({{file, first_line + line, column + 1},
                      at < text.size() ? in_quotes(text.substr(at, 20)) : "the end of the file",
                      "valid JSON",
                      at < text.size() ? "" : "Is the file cut off?"});
  }
}

/// A Python list of strings and numbers; JSON lists are a special case but for escapes.
bool parse_python_list(std::string_view text, std::vector<std::string>& elements) {
  text.remove_prefix(1);
  while (true) {
    text = trimmed(text);
    if (text.empty()) return false;
    if (text[0] == ']') return trimmed(text.substr(1)).empty();
    if (text[0] == '\'' || text[0] == '"') {
      const char quote = text[0];
      std::string element;
      std::size_t at = 1;
      for (; at < text.size() && text[at] != quote; ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        element += text[at];
      }
      if (at >= text.size()) return false;
      elements.push_back(std::move(element));
      text.remove_prefix(at + 1);
    } else {
      const auto end = text.find_first_of(",]");
      if (end == std::string_view::npos || end == 0) return false;
      elements.emplace_back(trimmed(text.substr(0, end)));
      text.remove_prefix(end);
    }
    text = trimmed(text);
    if (!text.empty() && text[0] == ',') text.remove_prefix(1);
  }
}

}  // namespace

std::vector<RecordTable> parse_json_tables(std::string_view text, const std::string& file) {
  TableCollector collector(file);
  const Json document = parse(text, file, 1);
  collector.walk(document, "", {});
  std::vector<RecordTable> tables = collector.take();
  constexpr std::size_t fewest_fields = 3;
  if (tables.empty() && document.is_object() && document.size() >= fewest_fields) {  // one record
    collector.walk(Json::array({document}), "", {});
    tables = collector.take();
  }
  for (RecordTable& table : tables) fill_up(table);
  return tables;
}

RecordTable parse_json_lines(std::string_view text, std::uint64_t first_line, const Table& table,
                             std::vector<InputError>* unreadable) {
  TableCollector collector(table.file);
  std::vector<std::uint64_t> lines;
  Json records = Json::array();
  std::uint64_t line = first_line;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view record = trimmed(text.substr(0, end));
    if (!record.empty()) {
      try {
        records.push_back(parse(record, table.file, line));
        lines.push_back(line);
      } catch (const InputError& error) {
        if (unreadable == nullptr) throw;
        unreadable->push_back(error);
      }
    }
    ++line;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  collector.walk(records, "", {});
  auto tables = collector.take();
  if (tables.size() != 1 || tables[0].rows.size() != lines.size()) {
    throw InputError({{table.file, first_line},
                      "lines that are not all plain records",
                      "one JSON object or array with an answer per line",
                      ""});
  }
  RecordTable& result = tables[0];
  fill_up(result);
  result.lines = std::move(lines);
  result.table.unit = "line";
  if (table.columns.empty()) return std::move(result);
  std::vector<std::size_t> source;
  for (const std::string& column : table.columns) {
    const auto& columns = result.table.columns;
    source.push_back(static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) -
                                              columns.begin()));
  }
  for (auto& row : result.rows) {
    std::vector<std::string> cells;
    for (const std::size_t i : source) cells.push_back(i < row.size() ? std::move(row[i]) : "");
    row = std::move(cells);
  }
  result.table = table;
  return std::move(result);
}

bool parse_list(std::string_view text, std::vector<std::string>& elements) {
  elements.clear();
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[') return false;
  Json json;
  try {
    json = Json::parse(text, refuse_depth, false);
  } catch (const TooDeep&) {
    return false;
  }
  if (json.is_discarded()) return parse_python_list(text, elements);
  for (const Json& element : json) {
    if (!element.is_primitive()) return false;
    elements.push_back(cell_text(element));
  }
  return true;
}

}  // namespace tertium::internal
