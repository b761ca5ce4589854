#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/read.hpp"
#include "tertium/reading/read_whole.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {

/// A table held in memory. Only the cells that are there are kept, with their column: records may
/// have few keys in common. What many rows have in common, such as the fields of an object around
/// an array of records, is kept once.
struct RecordTable {
  /// As small as can be: of a large document these take most of the memory.
  class Cell {
   public:
    /// Throws InputError if the text has 4 GB or more.
    Cell(std::uint32_t in, std::string_view text)
        : column(in), length_(static_cast<std::uint32_t>(text.size())), start_(text.data()) {
      if (text.size() != length_) refuse_length();
    }
    [[nodiscard]] std::string_view text() const { return {start_, length_}; }

    std::uint32_t column;

   private:
    [[noreturn]] static void refuse_length();
    std::uint32_t length_;
    const char* start_;
  };
  /// Cells that rows share, on top of those of `parent`. The first group is empty.
  struct Group {
    std::size_t parent = 0;
    std::vector<Cell> cells;
  };
  struct Record {
    std::uint64_t line = 0;
    std::size_t group = 0;
    std::size_t cells_end = 0;  // its own cells: from the end of the record before up to here
  };

  Table table;
  std::vector<Cell> cells;  // where a record has two for one column, the last counts
  std::vector<Record> records;
  std::vector<Group> groups = {{}};
  std::shared_ptr<std::deque<std::string>> texts;  // what cells are views of, if nobody else has it

  /// The column of this name, added if it is new.
  std::uint32_t column(std::string_view name);

  /// Cells move to the columns of another table; those that it lacks are left out.
  void use_columns(const Table& other);

  struct Columns;  // to find columns by their names
  std::shared_ptr<Columns> known_columns = nullptr;
};

/// Walks over the rows of a table: each takes time for its own cells, not for all columns.
class RecordRows {
 public:
  /// With `trim`, blanks around cells are removed. Of the rows those from `first` on that are
  /// before `end`, if there are so many. The table must outlive the walk.
  explicit RecordRows(const RecordTable& records, bool trim = false, std::size_t first = 0,
                      std::size_t end = std::numeric_limits<std::size_t>::max());

  /// The next row, with a cell for every column. False after the last.
  bool next();
  [[nodiscard]] const Row& row() const { return row_; }
  [[nodiscard]] std::string_view cell(std::size_t column) const { return row_.cells[column]; }

 private:
  void put(std::span<const RecordTable::Cell> cells);
  void take_back(std::size_t count);
  void change_group(std::size_t group);

  const RecordTable& records_;
  bool trim_;
  bool in_row_ = false;
  std::size_t next_;
  std::size_t end_;
  Row row_;
  std::vector<std::size_t> groups_;  // that are put into the row, from the outermost
  std::vector<std::size_t> marks_;   // how many cells were put before each of them, and the record
  std::vector<std::pair<std::uint32_t, std::string_view>> before_;  // what was in cells put
};

/// Column of a table by name (normalised) or, if no column has that name, by number from 1.
/// Throws InputError that lists the columns when there is none; `flag` is what asked for it.
std::size_t find_column(const Table& table, const std::string& name, std::string_view flag);

/// The column whose name comes first in `accepted` (normalised names separated by spaces), if any.
std::optional<std::size_t> best_column(const Table& table, std::string_view accepted);

/// A whole small delimited or JSON file with a header: an items file, a file of labels.
RecordTable read_record_table(const InputFile& file);

}  // namespace tertium::internal
