#include "tertium/reading/json_records.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/json_parser.hpp"

namespace tertium::internal {
namespace {

/// Arrays of at most this many plain values in a column get a column per element.
constexpr std::size_t longest_tuple = 4;

/// More tables are no answers.
constexpr std::size_t most_tables = 10'000;

/// Fields of an object around several tables are columns of each; so many of them are no answers.
constexpr std::size_t most_repeated_fields = 1'000'000;

/// Where NEXT keeps its answers: an object with a key per participant.
constexpr std::string_view participant_map = "participant_responses";

bool is_array_of_objects(const JsonValue& value) {
  if (!value.is_array() || value.empty()) return false;
  for (auto element = value.begin(); element != value.end(); ++element) {
    if (!(*element).is_object()) return false;
  }
  return true;
}

/// The label and the index of {"label": "left", "index": 5}, if that is what it is.
struct Labelled {
  std::optional<JsonValue> label;
  std::optional<JsonValue> index;
};

Labelled labelled(const JsonValue& object) {
  Labelled found;
  object.for_each_member([&](const JsonValue& key, const JsonValue& value) {
    const std::string name = key.text();
    if (name == "label" && value.is_string()) found.label = value;
    if (name == "index" && value.is_primitive()) found.index = value;
  });
  return found;
}

/// [{"label": "left", "index": 5}, ...]: a list of named values.
bool is_labelled_list(const JsonValue& value) {
  if (!is_array_of_objects(value)) return false;
  for (auto element = value.begin(); element != value.end(); ++element) {
    const Labelled found = labelled(*element);
    if (!found.label || !found.index) return false;
  }
  return true;
}

/// Puts the records of JSON into tables.
class TableCollector {
 public:
  explicit TableCollector(std::string file, std::shared_ptr<std::deque<std::string>> texts)
      : file_(std::move(file)), texts_(std::move(texts)) {}

  /// Fields of the objects around what is walked over.
  using Fields = std::vector<std::pair<std::string_view, std::string_view>>;
  struct Around {
    Around* outer = nullptr;
    Fields fields;
    std::map<std::size_t, std::size_t> group_in;  // table -> number of the group of these fields
  };

  void walk(const JsonValue& value, std::size_t path, Around& around) {
    if (value.is_array()) {
      for (auto element = value.begin(); element != value.end(); ++element) {
        walk_element(*element, path, around);
      }
    } else if (value.is_object()) {
      walk_object(value, path, around);
    }
  }

  void walk_element(const JsonValue& element, std::size_t path, Around& around) {
    if (element.is_object()) {
      walk_record(element, path, around);
    } else if (element.is_array()) {
      const OpenRow row = begin_row(path, around);
      tables_[row.table].table.has_header = false;
      std::size_t number = 0;
      for (auto value = element.begin(); value != element.end(); ++value) {
        add_cell(row, number_name(++number), text_of(*value));
      }
      finish(row);
    }
  }

  /// The outermost place, and nothing around it.
  static constexpr std::size_t root = 0;
  Around& nothing_around() { return nothing_around_; }

  std::vector<RecordTable> take() {
    for (RecordTable& table : tables_) table.texts = texts_;
    table_of_path_.clear();
    return std::move(tables_);
  }

 private:
  // --- places in the document ---

  std::size_t below(std::size_t path, std::string_view key) {
    const auto [entry, added] =
        paths_.emplace(std::pair(path, std::string(key)), paths_.size() + 1);
    return entry->second;
  }

  RecordTable& table_at(std::size_t path) {
    const auto [entry, added] = table_of_path_.emplace(path, tables_.size());
    if (added) {
      if (tables_.size() >= most_tables) {
        throw InputError({{file_},
                          fmt::format("more than {} tables in the JSON", most_tables),
                          "an array of answers",
                          ""});
      }
      tables_.emplace_back().table = {file_, {}, true, "record", true};
    }
    return tables_[entry->second];
  }

  // --- texts ---

  std::string_view keep(std::string text) { return texts_->emplace_back(std::move(text)); }

  std::string_view text_of(const JsonValue& value) {
    if (value.raw_is_text()) return value.raw();
    return value.is_null() ? std::string_view() : keep(value.text());
  }

  std::string_view number_name(std::size_t number) {
    while (number_names_.size() < number) {
      number_names_.push_back(std::to_string(number_names_.size() + 1));
    }
    return number_names_[number - 1];
  }

  // --- records ---

  /// Calls `add(name, text)` for the fields of one object; nested tables are left out.
  template <typename Add>
  void fields_of(const JsonValue& object, const Add& add) {
    object.for_each_member([&](const JsonValue& key, const JsonValue& value) {
      if (is_labelled_list(value)) {
        for (auto entry = value.begin(); entry != value.end(); ++entry) {
          const Labelled found = labelled(*entry);
          add(text_of(*found.label), text_of(*found.index));
        }
      } else if (value.is_primitive() || (value.is_array() && !is_array_of_objects(value))) {
        add(text_of(key), text_of(value));
      }
    });
  }

  /// An object in an array: a record itself, or a wrapper around an array of records.
  void walk_record(const JsonValue& record, std::size_t path, Around& around) {
    bool nests = false;
    bool wraps_records = false;
    const auto is_nested = [](const JsonValue& value) {
      return is_array_of_objects(value) && !is_labelled_list(value);
    };
    record.for_each_member([&](const JsonValue&, const JsonValue& value) {
      if (value.is_primitive()) return;
      const bool nested = is_nested(value);
      wraps_records = wraps_records || nested;
      nests = nests || nested || value.is_object();
    });
    if (nests) {
      Around here{&around, {}, {}};
      fields_of(record, [&](std::string_view name, std::string_view text) {
        here.fields.emplace_back(name, text);
      });
      record.for_each_member([&](const JsonValue& key, const JsonValue& value) {
        if (value.is_object() || is_nested(value)) walk(value, below(path, key.text()), here);
      });
    }
    if (wraps_records) return;
    std::optional<OpenRow> row;
    if (has_fields(around)) row = begin_row(path, around);
    fields_of(record, [&](std::string_view name, std::string_view text) {
      if (!row) row = begin_row(path, around);
      add_cell(*row, name, text);
    });
    if (row) finish(*row);
  }

  void walk_object(const JsonValue& object, std::size_t path, Around& around) {
    Around here{&around, {}, {}};
    std::map<std::size_t, std::vector<JsonMember>> columns_by_length;
    object.for_each_member([&](const JsonValue& key, const JsonValue& value) {
      if (value.is_primitive()) {
        here.fields.emplace_back(text_of(key), text_of(value));
      } else if (value.is_array() && !value.empty() && !is_array_of_objects(value)) {
        columns_by_length[value.size()].push_back({key, value});
      }
    });
    for (const auto& [length, columns] : columns_by_length) {
      const JsonMember& first = columns[0];
      if (columns.size() > 1) {
        add_columns(columns, length, below(path, first.key.text()), here);
      } else if ((*first.value.begin()).is_array()) {
        walk(first.value, below(path, first.key.text()), here);
      }
    }
    object.for_each_member([&](const JsonValue& key, const JsonValue& value) {
      if (!value.is_object() && !is_array_of_objects(value)) return;
      const std::string name = key.text();
      if (name == participant_map && value.is_object()) {
        walk_participants(value, below(path, name), here);
      } else {
        walk(value, below(path, name), here);
      }
    });
  }

  /// {"participant": [records], ...}: one table, the keys are a column of it.
  void walk_participants(const JsonValue& map, std::size_t path, Around& around) {
    map.for_each_member([&](const JsonValue& participant, const JsonValue& records) {
      Around here{&around, {}, {}};
      here.fields.emplace_back("participant", text_of(participant));
      walk(records, path, here);
    });
  }

  /// Arrays of the same length side by side: an element of each is a row.
  void add_columns(const std::vector<JsonMember>& columns, std::size_t length, std::size_t path,
                   Around& around) {
    struct Side {
      std::vector<std::string_view> names;  // of the column, and of the elements of short arrays
      JsonValue::Iterator at;
    };
    std::vector<Side> sides;
    for (const JsonMember& column : columns) {
      Side side{{text_of(column.key)}, column.value.begin()};
      for (std::size_t i = 1; i <= longest_tuple; ++i) {
        side.names.push_back(keep(fmt::format("{}.{}", side.names[0], i)));
      }
      sides.push_back(std::move(side));
    }
    for (std::size_t i = 0; i < length; ++i) {
      const OpenRow row = begin_row(path, around);
      for (Side& side : sides) {
        const JsonValue value = *side.at;
        ++side.at;
        add_cell(row, side.names[0], text_of(value));
        if (!value.is_array() || value.size() > longest_tuple) continue;
        std::size_t number = 0;
        for (auto element = value.begin(); element != value.end(); ++element) {
          add_cell(row, side.names[++number], text_of(*element));
        }
      }
      finish(row);
    }
  }

  // --- tables ---

  /// A row that is being made: its table and the group of fields around it.
  struct OpenRow {
    std::size_t table = 0;
    std::size_t group = 0;
  };

  OpenRow begin_row(std::size_t path, Around& around) {
    table_at(path);
    const std::size_t table = table_of_path_[path];
    return {table, group_of(around, table)};
  }

  void add_cell(const OpenRow& row, std::string_view name, std::string_view text) {
    RecordTable& table = tables_[row.table];
    table.cells.emplace_back(column_in(table, name), text);
  }

  void finish(const OpenRow& row) {
    RecordTable& table = tables_[row.table];
    table.records.push_back({table.records.size() + 1, row.group, table.cells.size()});
  }

  static std::uint32_t column_in(RecordTable& table, std::string_view name) {
    const std::uint32_t column = table.column(name);
    if (column >= most_columns) {
      throw InputError({{table.table.file, table.records.size() + 1, 0, "", "record"},
                        fmt::format("more than {} different keys", most_columns),
                        "records with the same keys",
                        ""});
    }
    return column;
  }

  static bool has_fields(const Around& around) {
    for (const Around* at = &around; at != nullptr; at = at->outer) {
      if (!at->fields.empty()) return true;
    }
    return false;
  }

  /// The group of these fields in a table.
  std::size_t group_of(Around& around, std::size_t table) {
    if (around.outer == nullptr) return 0;
    if (const auto known = around.group_in.find(table); known != around.group_in.end()) {
      return known->second;
    }
    const std::size_t parent = group_of(*around.outer, table);
    if (around.fields.empty()) return parent;
    if (!around.group_in.empty()) repeated_fields_ += around.fields.size();
    if (repeated_fields_ > most_repeated_fields) {
      throw InputError({{file_},
                        fmt::format("{} fields around many tables", around.fields.size()),
                        "an array of answers",
                        ""});
    }
    RecordTable::Group group{parent, {}};
    for (const auto& [name, text] : around.fields) {
      group.cells.emplace_back(column_in(tables_[table], name), text);
    }
    tables_[table].groups.push_back(std::move(group));
    return around.group_in[table] = tables_[table].groups.size() - 1;
  }

  std::string file_;
  std::shared_ptr<std::deque<std::string>> texts_;
  std::size_t repeated_fields_ = 0;
  std::deque<std::string> number_names_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> paths_;
  std::unordered_map<std::size_t, std::size_t> table_of_path_;
  std::vector<RecordTable> tables_;  // in the order of the document
  Around nothing_around_;
};

/// What a person is told about the place where a text stops being JSON.
InputError not_json(const JsonError& error, std::string_view text, const std::string& file,
                    std::uint64_t first_line) {
  const std::size_t at = std::min(error.at, text.size());
  const auto before = text.substr(0, at);
  const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
  const auto line_start = before.rfind('\n');
  const std::size_t column = line_start == std::string_view::npos ? at : at - line_start - 1;
  const Place place{file, first_line + line, column + 1};
  if (error.expected == "records") {
    return InputError({place, "JSON nested more than 100 deep", "records", ""});
  }
  return InputError({place,
                     at < text.size() ? in_quotes(text.substr(at, 20)) : "the end of the file",
                     std::string(error.expected), at < text.size() ? "" : "Is the file cut off?"});
}

/// Throws JsonError where the text is not UTF-8.
void check_utf8(std::string_view text) {
  if (const auto invalid = find_invalid_utf8(text)) throw JsonError{*invalid, "UTF-8 text"};
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

std::vector<RecordTable> parse_json_tables(std::string text, const std::string& file,
                                           const std::function<void()>& tick) {
  constexpr std::size_t elements_between_ticks = 1U << 14U;
  constexpr std::size_t fewest_fields = 3;
  auto texts = std::make_shared<std::deque<std::string>>();
  const std::string_view document = texts->emplace_back(std::move(text));
  TableCollector collector(file, texts);
  try {
    check_utf8(document);
    JsonParser parser(document);
    if (parser.at_array()) {
      for (std::size_t element = 1; parser.next_element(); ++element) {
        collector.walk_element(parser.element(), TableCollector::root, collector.nothing_around());
        if (element % elements_between_ticks == 0) tick();
      }
      return collector.take();
    }
    const JsonValue value = parser.document();
    tick();
    collector.walk(value, TableCollector::root, collector.nothing_around());
    std::vector<RecordTable> tables = collector.take();
    if (tables.empty() && value.is_object() && value.size() >= fewest_fields) {  // one record
      collector.walk_element(value, TableCollector::root, collector.nothing_around());
      tables = collector.take();
    }
    return tables;
  } catch (const JsonError& error) {
    throw not_json(error, document, file, 1);
  }
}

RecordTable parse_json_lines(std::string_view text, std::uint64_t first_line, const Table& table,
                             std::vector<InputError>* unreadable) {
  TableCollector collector(table.file, std::make_shared<std::deque<std::string>>());
  std::vector<std::uint64_t> lines;
  std::uint64_t line = first_line;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view record = trimmed(text.substr(0, end));
    if (!record.empty()) {
      try {
        check_utf8(record);
        JsonParser parser(record);
        const JsonValue value = parser.document();
        // A line for each session, as JATOS writes them, has all its records in an array.
        const bool is_session = is_array_of_objects(value);
        const std::size_t count = is_session ? value.size() : 1;
        if (is_session) {
          collector.walk(value, TableCollector::root, collector.nothing_around());
        } else {
          collector.walk_element(value, TableCollector::root, collector.nothing_around());
        }
        lines.insert(lines.end(), count, line);
      } catch (const JsonError& error) {
        const InputError refusal = not_json(error, record, table.file, line);
        if (unreadable == nullptr) throw InputError(refusal);
        unreadable->push_back(refusal);
      }
    }
    ++line;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  auto tables = collector.take();
  if (tables.empty() && lines.empty()) {
    RecordTable nothing;
    nothing.table = table;
    return nothing;
  }
  if (tables.size() != 1 || tables[0].records.size() != lines.size()) {
    throw InputError({{table.file, first_line},
                      "lines that are not all plain records",
                      "one JSON object or array with an answer per line",
                      ""});
  }
  RecordTable& result = tables[0];
  for (std::size_t i = 0; i < lines.size(); ++i) result.records[i].line = lines[i];
  result.table.unit = "line";
  if (!table.columns.empty()) result.use_columns(table);
  return std::move(result);
}

bool parse_list(std::string_view text, std::vector<std::string>& elements) {
  elements.clear();
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[') return false;
  try {
    check_utf8(text);
    JsonParser parser(text);
    const JsonValue list = parser.document();
    for (auto element = list.begin(); element != list.end(); ++element) {
      if (!(*element).is_primitive()) return false;
      elements.push_back((*element).text());
    }
    return true;
  } catch (const JsonError& error) {
    elements.clear();
    return error.expected != "records" && parse_python_list(text, elements);
  }
}

}  // namespace tertium::internal
