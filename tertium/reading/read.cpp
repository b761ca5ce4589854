#include "tertium/read.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/core/number.hpp"
#include "tertium/core/unreadable_file.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/reading/alike_names.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/chosen_people.hpp"
#include "tertium/reading/conditions_used.hpp"
#include "tertium/reading/delimited.hpp"
#include "tertium/reading/duplicate_files.hpp"
#include "tertium/reading/header.hpp"
#include "tertium/reading/integer_rows.hpp"
#include "tertium/reading/interpreter.hpp"
#include "tertium/reading/item_list.hpp"
#include "tertium/reading/json_records.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/reading/text_form.hpp"

namespace tertium::internal {
namespace {

/// Small enough to stay in a core's cache, large enough to make handing out cheap.
constexpr std::size_t block_size = 1 << 20;
constexpr std::size_t sniffed_bytes = 1 << 16;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

constexpr std::array<std::string_view, 7> answer_endings = {".csv",   ".tsv",    ".txt", ".json",
                                                            ".jsonl", ".ndjson", ".npy"};

std::string_view separator_name(char separator) {
  switch (separator) {
    case ',':
      return "comma";
    case ';':
      return "semicolon";
    case '\t':
      return "tab";
    case ' ':
      return "blanks";
    default:
      return "separator";
  }
}

/// The name of a file without folder and endings.
std::string person_of(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

/// Reads the files of one run into its sinks.
class Reader {
 public:
  Reader(const ReadOptions& options, std::span<AnswerSink* const> sinks, Run& run)
      : options_(options), sinks_(sinks), run_(run), people_(chosen_people(options, run)) {
    if (options.items_file.empty()) return;
    const InputFile items(options.items_file, options.read_limit);
    stop_while_waiting({items}, run);
    list_ = read_item_list(items, options.item_name);
    describe_list();
    for (AnswerSink* sink : sinks) {
      for (const ListedItem& item : list_->items) sink->items.add(item.name);
    }
  }

  void read_file(const InputFile& file) {
    const std::shared_ptr<ByteSource> opened = file.open();
    ByteSource& source = *opened;
    source.on_interrupt([this, &source] { show_progress(source); });
    std::string_view start = source.peek(sniffed_bytes);
    if (start.empty()) refuse(source, "an empty file", "answers");
    if (start.starts_with(npy_magic)) {
      read_npy(source);
      return;
    }
    const TextForm form = TextForm::of(start, start.size() < sniffed_bytes);
    if (!form.is_plain()) {
      source.translate(form);
      report_.notes.push_back(fmt::format("{}: read as {}", source.name(), form.in_words()));
      start = source.peek(sniffed_bytes);
    }
    if (start.find('\0') != std::string_view::npos) {
      refuse(source, "binary data", "text (CSV, JSON, ...), .npy or a similarity snapshot");
    }
    if (start.starts_with(byte_order_mark)) {
      char skipped[3];
      source.read(skipped, byte_order_mark.size());
    }
    const std::string_view text = trimmed(source.peek(sniffed_bytes));
    if (text.empty()) refuse(source, "nothing but blanks", "answers");
    if (text[0] == '{' || text[0] == '[') {
      read_json(source, text);
    } else {
      read_delimited(source);
    }
  }

  ReadReport take_report() {
    conditions_.report(report_);
    if (report_.counts.rows > 0 && report_.counts.rows == report_.counts.not_questions) {
      refuse_without_questions();
    }
    const std::string alike = options_.merge_names ? "" : note_on_alike_names(sinks_);
    if (!alike.empty()) report_.notes.push_back(alike);
    return std::move(report_);
  }

 private:
  void describe_list() {
    report_.listed_items = list_->items.size();
    std::map<std::string, std::size_t> sizes;
    for (const ListedItem& item : list_->items) {
      if (!item.image.empty()) ++report_.listed_pictures;
      if (!item.category.empty()) ++sizes[item.category];
    }
    report_.categories.assign(sizes.begin(), sizes.end());
  }

  /// What was read is something else than answers, or they stand in other columns.
  [[noreturn]] void refuse_without_questions() const {
    std::vector<std::string> columns;
    for (const auto& [role, column] : report_.tables[0].columns) {
      columns.push_back(fmt::format("{} = {}", role, printable(column)));
    }
    throw InputError({{report_.tables[0].file},
                      fmt::format("no question in {} rows, read with {}", report_.counts.rows,
                                  fmt::join(columns, ", ")),
                      "items in those columns",
                      "Name other columns with --anchor, --near, --far, or --anchor, --option1, "
                      "--option2, --answer"});
  }

  [[noreturn]] static void refuse(const ByteSource& source, std::string found, std::string expected,
                                  std::string remedy = "") {
    throw InputError({{source.name()}, std::move(found), std::move(expected), std::move(remedy)});
  }

  Interpreter interpreter_for(const Table& table, std::optional<Binding> bound = {},
                              bool integers_only = false) {
    Binding binding = bound ? std::move(*bound) : bind_columns(table, options_);
    if (named_by_file(binding)) binding.participant_name = person_of(table.file);
    choose_people(people_, table, binding);
    const bool quadruplets = binding.kind == ScreenKind::quadruplets;
    if (quadruplets_ && *quadruplets_ != quadruplets) {
      throw InputError(
          {{table.file},
           fmt::format("{}, after {} in {}", to_string(binding.kind),
                       *quadruplets_ ? "quadruplets" : "triplets", report_.tables.back().file),
           "either triplets or quadruplets in one run",
           "Run them one after the other"});
    }
    quadruplets_ = quadruplets;
    ReadOptions options = options_;
    if (integers_only && !options.ids_from && !list_) options.ids_from = 0;
    return {table, std::move(binding), ItemResolver(list_ ? &*list_ : nullptr, options),
            options_.skip_bad_rows, *sinks_[0]};
  }

  /// `--participant file`: every file is one person's, unless there is such a column.
  [[nodiscard]] bool named_by_file(const Binding& binding) const {
    return options_.participant == "file" && !binding.participant;
  }

  void show_progress(const ByteSource& source) {
    const std::uint64_t position = source.position();
    run_.say(fmt::format("reading, {:.0f} MB", static_cast<double>(position) / 1e6),
             {position, source.size()});
  }

  /// Adds what the interpreters of one table found, the first of them having read its start.
  void add_to_report(const std::vector<Interpreter>& interpreters, std::string_view separator) {
    const Interpreter& first = interpreters[0];
    TableReport table;
    table.file = first.table().file;
    table.layout = first.binding().title;
    table.kind = first.binding().kind;
    table.has_header = first.table().has_header;
    table.separator = separator;
    table.columns = describe(first.binding(), first.table());
    if (first.coding()) table.answer_values = to_string(*first.coding());
    table.first_sentence = first.findings().first_sentence;
    std::vector<Place> self;
    std::vector<std::pair<Place, std::string>> bad;
    conditions_.begin_table(first.table(), first.binding());
    for (const Interpreter& interpreter : interpreters) {
      const Findings& found = interpreter.findings();
      table.counts += found.counts;
      conditions_.add(found.conditions);
      report_.self_comparisons += found.self_comparisons;
      self.insert(self.end(), found.self_comparison_places.begin(),
                  found.self_comparison_places.end());
      bad.insert(bad.end(), found.bad_rows.begin(), found.bad_rows.end());
    }
    std::sort(self.begin(), self.end(),
              [](const Place& a, const Place& b) { return a.line < b.line; });
    std::sort(bad.begin(), bad.end(),
              [](const auto& a, const auto& b) { return a.first.line < b.first.line; });
    append_up_to_limit(report_.self_comparison_places, self);
    append_up_to_limit(report_.bad_rows, bad);
    report_.counts += table.counts;
    if (table.counts.rows == 0) {
      throw InputError({{table.file}, "a header and no rows", "answers", ""});
    }
    if (first.table().may_be_header) {
      report_.notes.push_back(fmt::format(
          "{}: the first row (0, 1, 2, ...) was read as an answer; if it is a header, as "
          "pandas writes it, add --header yes",
          table.file));
    }
    if (!table.has_header && first.binding().picked) {
      report_.notes.push_back(
          fmt::format("{}: no header, read as {}; if that is wrong, use --kind, --odd or --anchor, "
                      "--near, --far",
                      table.file, table.layout));
    }
    report_.tables.push_back(std::move(table));
  }

  template <class T>
  static void append_up_to_limit(std::vector<T>& all, const std::vector<T>& more) {
    for (const T& place : more) {
      if (all.size() < places_kept) all.push_back(place);
    }
  }

  // --- delimited text ---

  /// What follows in this sink is from this block.
  void begin_part(AnswerSink& sink, const TextBlock& block) const {
    sink.begin_part(parts_before_ + block.number);
  }

  /// Reads all rows of a block with one interpreter.
  static void read_rows(RowSplitter& splitter, Interpreter& interpreter, IntegerRows& integers) {
    Row row;
    while (true) {
      if (interpreter.settled() && interpreter.has_echoed()) {
        const auto read = integers.read(splitter.rest());
        splitter.skip_to(read.bytes, read.rows);
      }
      if (!splitter.next(row)) return;
      if (splitter.open_quote()) {
        interpreter.unreadable_row(InputError({{interpreter.table().file, row.line},
                                               "a quotation mark that is never closed",
                                               "complete rows",
                                               ""}));
        return;
      }
      interpreter.row(row);
    }
  }

  void read_delimited(ByteSource& source) {
    TextBlocks blocks(source, block_size);
    TextBlock block;
    blocks.next(block);
    const Dialect dialect =
        options_.separator ? Dialect{*options_.separator} : detect_dialect(block.text, block.last);
    RowSplitter splitter(block.text, block.first_line, dialect);
    skip_separator_line(splitter);
    Row first;
    RowSplitter before = splitter;
    while (splitter.next(first) && first.cells[0].starts_with('#')) before = splitter;
    if (first.cells.empty()) refuse(source, "nothing but comments", "answers");
    if (first.cells.size() > most_columns) {
      throw InputError({{source.name(), first.line},
                        fmt::format("more than {} columns", most_columns),
                        "rows of answers",
                        ""});
    }
    for (const std::string_view cell : first.cells) {
      if (find_invalid_utf8(cell)) {
        throw InputError({{source.name(), first.line},
                          in_quotes(cell),
                          "UTF-8 text",
                          "Convert the file, for example: iconv -f latin1 -t utf8"});
      }
    }
    Table table = find_columns(first, splitter, source.name(), options_);
    if (!table.has_header) splitter = before;
    add_unnamed_column(table, splitter);

    std::vector<Interpreter> interpreters;
    interpreters.reserve(sinks_.size());
    interpreters.push_back(interpreter_for(table));
    begin_part(*sinks_[0], block);
    std::vector<IntegerRows> integers;
    integers.reserve(sinks_.size());
    integers.emplace_back(interpreters[0], dialect.separator);
    read_rows(splitter, interpreters[0], integers[0]);
    while (!interpreters[0].settled() && blocks.next(block)) {
      begin_part(*sinks_[0], block);
      RowSplitter rows(block.text, block.first_line, dialect);
      read_rows(rows, interpreters[0], integers[0]);
      show_progress(source);
    }
    fork_for_all_sinks(interpreters);
    for (std::size_t i = 1; i < sinks_.size(); ++i) {
      integers.emplace_back(interpreters[i], dialect.separator);
    }
    read_remaining_blocks(source, blocks, dialect, interpreters, integers);
    parts_before_ += blocks.count();
    interpreters[0].finish();
    add_to_report(interpreters, separator_name(dialect.separator));
  }

  void read_remaining_blocks(ByteSource& source, TextBlocks& blocks, Dialect dialect,
                             std::vector<Interpreter>& interpreters,
                             std::vector<IntegerRows>& integers) {
    std::vector<TextBlock> block(interpreters.size());
    read_in_parts(interpreters, [&](std::size_t i) {
      if (!blocks.next(block[i])) return false;
      begin_part(*sinks_[i], block[i]);
      RowSplitter rows(block[i].text, block[i].first_line, dialect);
      read_rows(rows, interpreters[i], integers[i]);
      show_progress(source);
      return true;
    });
  }

  /// A copy of the interpreter, which is settled, for every other sink.
  void fork_for_all_sinks(std::vector<Interpreter>& interpreters) const {
    for (std::size_t i = interpreters.size(); i < sinks_.size(); ++i) {
      interpreters.push_back(interpreters[0].fork(*sinks_[i]));
    }
  }

  /// Has every interpreter take parts of the table, `take_part(number of the interpreter)`, until
  /// that is false. Parts must be handed out in order: after a failure no further part is, so that
  /// the failure with the smallest line is the first one in the file, whatever the number of
  /// threads.
  template <class TakePart>
  void read_in_parts(const std::vector<Interpreter>& interpreters, const TakePart& take_part) {
    std::mutex failure_mutex;
    std::optional<InputError> failure;
    std::atomic<bool> failed = false;
    run_.workers(static_cast<int>(interpreters.size()), [&](int worker) {
      bool more = true;
      while (more && !failed) {
        try {
          more = take_part(static_cast<std::size_t>(worker));
        } catch (const InputError& error) {
          const std::scoped_lock lock(failure_mutex);
          if (!failure || error.parts().place.line < failure->parts().place.line) failure = error;
          failed = true;
        }
      }
    });
    if (failure) throw InputError(*failure);
  }

  // --- records ---

  /// By one interpreter until it is settled, then by one for every sink.
  template <class TakePart>
  void read_parts_of_one_table(std::vector<Interpreter>& interpreters, const TakePart& take_part) {
    do {
      if (!take_part(0)) return;
    } while (!interpreters[0].settled());
    fork_for_all_sinks(interpreters);
    read_in_parts(interpreters, take_part);
  }

  static constexpr std::size_t records_in_part = 1 << 14;

  /// A part of a table, or all of it.
  static void read_records(Interpreter& interpreter, const RecordTable& records,
                           std::size_t first = 0,
                           std::size_t end = std::numeric_limits<std::size_t>::max()) {
    for (RecordRows rows(records, true, first, end); rows.next();) interpreter.row(rows.row());
  }

  /// All of a table that is in memory.
  void read_table(std::vector<Interpreter>& interpreters, const RecordTable& records) {
    const std::size_t parts = (records.records.size() + records_in_part - 1) / records_in_part;
    std::atomic<std::size_t> next = 0;
    const auto take_part = [&](std::size_t i) {
      const std::size_t part = next.fetch_add(1);
      if (part >= parts) return false;
      run_.check();
      interpreters[i].sink().begin_part(parts_before_ + part);
      read_records(interpreters[i], records, part * records_in_part, (part + 1) * records_in_part);
      return true;
    };
    read_parts_of_one_table(interpreters, take_part);
    parts_before_ += parts;
    interpreters[0].finish();
  }

  void read_json(ByteSource& source, std::string_view start) {
    if (is_json_lines(start)) {
      read_json_lines(source);
      return;
    }
    std::string whole = read_all(source);
    show_progress(source);
    const std::vector<RecordTable> tables =
        parse_json_tables(std::move(whole), source.name(), [this] { run_.check(); });
    std::optional<InputError> reason;
    std::vector<std::optional<Binding>> bindings(tables.size());
    bool any_named = false;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      try {
        bindings[i] = bind_columns(tables[i].table, options_);
        any_named = any_named || tables[i].table.has_header;
      } catch (const InputError& error) {
        if (!reason) reason = error;
      }
    }
    std::size_t used = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const RecordTable& records = tables[i];
      // Arrays of numbers beside records with names are something else.
      if (!bindings[i] || (any_named && !records.table.has_header)) continue;
      std::vector<Interpreter> interpreters{interpreter_for(records.table, std::move(bindings[i]))};
      read_table(interpreters, records);
      add_to_report(interpreters, "JSON");
      ++used;
    }
    if (used == 0 && reason) throw InputError(*reason);
    if (used == 0) refuse(source, "JSON without records", "an array of answers");
    if (used < tables.size()) {
      report_.notes.push_back(
          fmt::format("{}: {} of {} tables in the JSON are answers; the others "
                      "were left out",
                      source.name(), used, tables.size()));
    }
  }

  /// The first line is a complete record and another follows.
  static bool is_json_lines(std::string_view start) {
    const auto end = start.find('\n');
    if (end == std::string_view::npos) return false;
    const std::string_view line = trimmed(start.substr(0, end));
    const std::string_view next = trimmed(start.substr(end));
    return line.back() == (line[0] == '{' ? '}' : ']') && !next.empty() && next[0] == line[0];
  }

  void read_json_lines(ByteSource& source) {
    TextBlocks blocks(source, block_size, RowEnds::every_line);
    Table table{source.name(), {}, true, "line", true};
    std::vector<Interpreter> interpreters;
    std::vector<TextBlock> block(sinks_.size());
    const auto take_part = [&](std::size_t i) {
      if (!blocks.next(block[i])) return false;
      std::vector<InputError> unreadable;
      const RecordTable records = parse_json_lines(block[i].text, block[i].first_line, table,
                                                   options_.skip_bad_rows ? &unreadable : nullptr);
      if (interpreters.empty()) {
        table = records.table;
        interpreters.push_back(interpreter_for(table));
      }
      begin_part(interpreters[i].sink(), block[i]);
      for (const InputError& error : unreadable) interpreters[i].unreadable_row(error);
      read_records(interpreters[i], records);
      show_progress(source);
      return true;
    };
    read_parts_of_one_table(interpreters, take_part);
    parts_before_ += blocks.count();
    interpreters.at(0).finish();
    add_to_report(interpreters, "JSON lines");
  }

  void read_npy(ByteSource& source) {
    NpyReader array(source);
    Table table{source.name(), {}, false, "record", true};
    for (std::uint64_t i = 1; i <= array.columns(); ++i) table.columns.push_back(std::to_string(i));
    std::vector<Interpreter> interpreters{interpreter_for(table, {}, true)};
    interpreters[0].sink().begin_part(parts_before_++);
    std::vector<double> numbers;
    std::vector<std::string> texts(array.columns());
    Row row;
    while (array.next(numbers)) {
      ++row.line;
      row.cells.clear();
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        texts[i] = fmt::format("{}", numbers[i]);
        row.cells.emplace_back(texts[i]);
      }
      interpreters[0].row(row);
      constexpr std::uint64_t rows_between_updates = 1 << 16;
      if (row.line % rows_between_updates == 0) show_progress(source);
    }
    interpreters[0].finish();
    add_to_report(interpreters, "npy");
  }

  const ReadOptions& options_;
  std::span<AnswerSink* const> sinks_;
  Run& run_;
  const std::vector<BoundCondition> people_;  // conditions on participants, of no column yet
  ConditionsUsed conditions_;
  std::optional<ItemList> list_;
  std::optional<bool> quadruplets_;
  std::uint64_t parts_before_ = 0;  // of the input, in tables that were read
  ReadReport report_;
};

/// The files in a folder that may hold answers, by their names.
std::vector<std::string> answer_files_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code failed;
  const fs::directory_iterator entries(folder, failed);
  if (failed) throw unreadable_file(folder, failed.value());
  for (const auto& entry : entries) {
    fs::path name = entry.path().filename();
    std::error_code none;
    if (entry.is_directory(none) || name.string().starts_with('.')) continue;
    if (name.extension() == ".gz") name = name.stem();
    std::string ending = name.extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (std::find(answer_endings.begin(), answer_endings.end(), ending) == answer_endings.end()) {
      continue;
    }
    if (entry.exists(none) && !entry.is_regular_file(none)) {
      throw InputError({{entry.path().string()},
                        "a pipe or device in a directory",
                        "files",
                        "Name it itself to read it, or give it another ending"});
    }
    found.push_back(entry.path().string());
  }
  if (found.empty()) {
    throw InputError({{folder},
                      "a directory without answers",
                      "files ending in .csv, .tsv, .txt, .json, .jsonl or .npy (also .gz)",
                      ""});
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::vector<InputFile> expand_inputs(const std::vector<InputFile>& inputs) {
  std::vector<InputFile> files;
  for (const InputFile& input : inputs) {
    std::error_code none;
    if (input.path == "-" || !std::filesystem::is_directory(input.path, none)) {
      files.push_back(input);
      continue;
    }
    for (const std::string& path : answer_files_in(input.path)) {
      files.emplace_back(path, input.read_limit);
    }
  }
  return files;
}

ReadReport read_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                        std::span<AnswerSink* const> sinks, Run& run) {
  validate(options);
  if (!options.keep_duplicates) refuse_duplicates(files);
  Reader reader(options, sinks, run);
  for (const InputFile& file : files) reader.read_file(file);
  return reader.take_report();
}

}  // namespace tertium
