#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tertium {

/// Where a row is expected: an item that has none.
inline constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

/// A symmetric matrix of exact numbers with zero diagonal: S_ij = value / denominator. Only the
/// lower triangle (j < i) is stored, row by row, columns increasing.
struct IntegerTriangle {
  std::vector<std::uint64_t>
      row_start;  // size + 1 entries; row i is [row_start[i], row_start[i+1])
  std::vector<std::uint32_t> column;
  std::vector<std::int64_t> value;
  std::int64_t denominator = 1;

  [[nodiscard]] std::size_t size() const { return row_start.empty() ? 0 : row_start.size() - 1; }
  [[nodiscard]] std::size_t nonzeros() const { return value.size(); }

  friend bool operator==(const IntegerTriangle&, const IntegerTriangle&) = default;
};

}  // namespace tertium
