#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {

/// A table held in memory. The cells of `rows[i]` belong to `table.columns`; `lines[i]` is its
/// place.
struct RecordTable {
  Table table;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::uint64_t> lines;
};

/// Column of a table by name (normalised) or, if no column has that name, by number from 1.
/// Throws InputError that lists the columns when there is none; `flag` is what asked for it.
std::size_t find_column(const Table& table, const std::string& name, std::string_view flag);

/// The column whose name comes first in `accepted` (normalised names separated by spaces), if any.
std::optional<std::size_t> best_column(const Table& table, std::string_view accepted);

/// All remaining bytes of a source.
std::string read_all(ByteSource& source);

/// A whole small delimited or JSON file with a header: an items file, a file of labels.
RecordTable read_record_table(const std::string& path);

}  // namespace tertium::internal
