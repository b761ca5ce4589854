#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tertium/answers.hpp"

namespace tertium::internal {

/// A 16-bit counter for every pair of a moderate number of items: the strict lower triangle,
/// packed, so that it grows with the items without moving. 1000 items take 1 MB, which a core's
/// cache holds.
///
/// A counter that is full is handed to `overflow(high, low, count)` and starts again at zero.
class TriangleCounts {
 public:
  /// Makes room for items 0 .. count-1. Must be called before they are added.
  void reserve_items(std::size_t count);

  /// For each of `count` triplets (anchor, near, far): one more for {anchor, near}, one less for
  /// {anchor, far}.
  template <class Overflow>
  void add_triplets(const ItemId* triplets, std::size_t count, const Overflow& overflow) {
    for (std::size_t t = 0; t < 3 * count; t += 3) {
      add_one(triplets[t], triplets[t + 1], 1, overflow);
      add_one(triplets[t], triplets[t + 2], -1, overflow);
    }
  }

  /// Adds `step`, 1 or -1, to the pair {a, b}, a != b.
  template <class Overflow>
  void add_one(ItemId a, ItemId b, int step, const Overflow& overflow) {
    const ItemId high = std::max(a, b);
    const ItemId low = std::min(a, b);
    std::int16_t& counter = counters_[row_start_[high] + low];
    counter = static_cast<std::int16_t>(counter + step);
    if (counter == full || counter == -full) [[unlikely]] {
      overflow(high, low, counter);
      counter = 0;
    }
  }

  /// Adds the counters of `other`, which counts the same items.
  template <class Overflow>
  void add_all(const TriangleCounts& other, const Overflow& overflow) {
    reserve_items(other.items());
    std::size_t at = 0;
    for (ItemId high = 1; high < other.items(); ++high) {
      for (ItemId low = 0; low < high; ++low, ++at) {
        const int sum = counters_[at] + other.counters_[at];
        const bool fits = sum < full && sum > -full;
        if (!fits) overflow(high, low, sum);
        counters_[at] = static_cast<std::int16_t>(fits ? sum : 0);
      }
    }
  }

  /// Calls `visit(high, low, count)` for every counter that is not zero, by increasing (high, low).
  template <class Visit>
  void for_each(const Visit& visit) const {
    std::size_t at = 0;
    for (ItemId high = 1; high < items(); ++high) {
      for (ItemId low = 0; low < high; ++low, ++at) {
        if (counters_[at] != 0) visit(high, low, counters_[at]);
      }
    }
  }

  /// The counters of the pairs {high, low} for low = 0 .. high-1.
  [[nodiscard]] std::span<const std::int16_t> row(ItemId high) const {
    return {counters_.data() + row_start_[high], high};
  }

  [[nodiscard]] std::size_t items() const { return row_start_.size(); }

 private:
  static constexpr int full = std::numeric_limits<std::int16_t>::max();

  std::vector<std::uint32_t> row_start_;  // high (high - 1) / 2
  std::vector<std::int16_t> counters_;
};

}  // namespace tertium::internal
