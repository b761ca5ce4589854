#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// Wider rows are not answers; no memory is taken for them.
inline constexpr std::size_t most_columns = 1'000'000;

/// What the rows of one table have in common. Without a header the columns are named "1", "2", ...
struct Table {
  std::string file;
  std::vector<std::string> columns;
  bool has_header = true;
  std::string_view unit = "line";  // what Row::line counts: "line" or "record"
  bool is_utf8 = false;            // the text of the rows is known to be valid
  bool counts_rows = false;        // its first column does, as the index that pandas writes
  bool may_be_header = false;      // its first row, 0, 1, 2, was taken for an answer
};

/// One row with a cell for every column, blanks around the cells removed. The views live until the
/// next row is asked for. A row with more than `most_columns` cells has one more than that.
struct Row {
  std::uint64_t line = 0;
  std::vector<std::string_view> cells;
};

}  // namespace tertium::internal
