#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tertium/integer_triangle.hpp"

namespace tertium::internal::verifying {

struct PairSum {
  std::uint32_t high = 0;  // the larger number of the pair
  std::uint32_t low = 0;
  std::int64_t sum = 0;
};

/// Adds up numbers that belong to pairs, as plainly as can be, since this is what the producer's
/// sums are checked with: a sum for every pair of the first few thousand; numbers of other pairs
/// are collected, and those of the same pair brought together whenever they have doubled.
///
/// Memory: 8 bytes for each pair below `few`, 67 MB at most, which is half of what a proof with so
/// many items takes; 16 bytes for each other pair that occurs, some times that while adding. The
/// caller sees to it that no sum leaves 64 bits.
class PairSums {
 public:
  static constexpr std::uint32_t few = 4096;

  void add(std::uint32_t i, std::uint32_t j, std::int64_t number) {
    const std::uint32_t high = std::max(i, j);
    const std::uint32_t low = std::min(i, j);
    if (high >= few) {
      add_to_others({high, low, number});
    } else {
      if (of_few_.size() < start_of_row(high + 1)) of_few_.resize(start_of_row(high + 1));
      of_few_[start_of_row(high) + low] += number;
    }
  }

  /// By `high` and then `low`, each pair once, zeros left out. Nothing is left here.
  std::vector<PairSum> take();

 private:
  static std::size_t start_of_row(std::size_t i) { return i * (i - 1) / 2; }
  void add_to_others(const PairSum& pair);
  void settle();

  std::vector<std::int64_t> of_few_;  // of pairs (1,0), (2,0), (2,1), (3,0), ...
  std::vector<PairSum> of_others_;
  std::size_t settled_ = 0;  // so many of the others are in order, each pair once
};

/// The pairs of rows 0 .. size-1 as a triangle. Takes them.
IntegerTriangle triangle_of(PairSums& pairs, std::size_t size, std::int64_t denominator);

}  // namespace tertium::internal::verifying
