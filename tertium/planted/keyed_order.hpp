#pragma once

#include <array>
#include <cstdint>

namespace tertium::internal {

/// A random order of the cells of a grid, without storing it: a Feistel network whose halves are
/// row and column, so that it is one to one on the grid itself. rows * columns may exceed 2^64.
/// Cost: eight random numbers for each cell.
class KeyedOrder {
 public:
  /// rows, columns > 0.
  KeyedOrder(std::uint64_t rows, std::uint64_t columns, std::uint64_t key);

  /// The cells at positions [first, first + count) of the order; first + count <= rows * columns.
  void fill(std::uint64_t first, std::size_t count, std::uint64_t* row,
            std::uint64_t* column) const;

  /// Replaces cells by where the permutation takes them. `fill` is this for the cells row by row.
  void move_on(std::size_t count, std::uint64_t* row, std::uint64_t* column) const;

 private:
  static constexpr std::size_t rounds = 8;

  std::uint64_t rows_;
  std::uint64_t columns_;
  std::array<std::uint64_t, rounds> keys_{};
};

}  // namespace tertium::internal
