#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tertium/comparisons/answer.hpp"

namespace tertium {

/// Exact sums over pairs of a moderate number of items: the strict lower triangle, packed, so that
/// it grows with the items without moving and 1000 items take 2 MB, which a core's cache holds.
///
/// Answers of weight one are counted in 32 bits; they move to the 64-bit sums before they can
/// overflow.
class TriangleSums {
 public:
  /// Makes room for items 0 .. count-1. Must be called before they are added.
  void reserve_items(std::size_t count);

  /// Adds `weight` to the pair {a, b}, a != b.
  void add(ItemId a, ItemId b, Weight weight);

  /// For each of `count` triplets (anchor, near, far): adds weight one to {anchor, near} and takes
  /// it from {anchor, far}.
  void add_triplets(const ItemId* triplets, std::size_t count);

  /// The sum of the pair {a, b}, a != b.
  [[nodiscard]] Weight sum(ItemId a, ItemId b) const {
    const std::size_t at = place(a, b);
    return (sums_.empty() ? 0 : sums_[at]) + Weight{units_[at]} * weight_one;
  }

  [[nodiscard]] std::size_t items() const { return row_start_.size(); }
  void clear();

 private:
  [[nodiscard]] std::size_t place(ItemId a, ItemId b) const {
    return a > b ? row_start_[a] + b : row_start_[b] + a;
  }
  void move_units();

  std::vector<std::uint32_t> row_start_;  // a (a - 1) / 2
  std::vector<std::int32_t> units_;
  std::vector<Weight> sums_;  // empty until needed
  std::uint64_t unit_additions_ = 0;
};

}  // namespace tertium
