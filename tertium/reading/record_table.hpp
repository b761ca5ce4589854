#pragma once

#include <cstdint>
#include <deque>
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
  struct Cell {
    std::uint32_t column = 0;
    std::string_view text;
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
  /// With `trim`, blanks around cells are removed. The table must outlive the walk.
  explicit RecordRows(const RecordTable& records, bool trim = false);

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
  std::size_t next_ = 0;
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
