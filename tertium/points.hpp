#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tertium/read.hpp"

namespace tertium {

/// How a table of points is to be understood. Columns are given by name or by number, from 1.
struct PointOptions {
  std::vector<std::string> columns;          // only these are coordinates; empty: all but names
  std::vector<std::string> exclude_columns;  // neither coordinates nor names
  std::optional<std::string> name_column;    // with the names of the points
  std::optional<bool> header;                // the first row names the columns
  std::optional<char> separator;             // between cells; ' ' stands for any blanks
};

/// Named points with coordinates. A coordinate stands for the shortest decimal number that reads
/// back as it (5.1 for 51/10), whatever digits more a file has.
struct PointTable {
  std::vector<std::string> items;
  std::vector<std::string> columns;  // of the coordinates
  std::vector<double> coordinates;   // a row for each item, all finite

  std::vector<InputFile> inputs;  // what it was read from, if it was, and how
  PointOptions options;

  [[nodiscard]] std::size_t size() const { return items.size(); }
  [[nodiscard]] std::size_t dimensions() const { return columns.size(); }
};

/// Throws InputError if the parts do not fit together, for names that are empty, not UTF-8 or there
/// twice, and for coordinates that are not finite.
void validate(const PointTable& points);

/// Reads a table of points, a row for each: delimited text with or without a header, or a .npy
/// array. Names are in the column that the options say, or in one without a name in the header, or
/// in the first that holds no numbers but a different value in every row; else they are 0, 1, 2,
/// ... Throws InputError for a column that is neither, naming the flag that leaves it out, for
/// missing values, with their place, and for no points at all.
PointTable read_point_table(const InputFile& file, const PointOptions& options);

}  // namespace tertium
