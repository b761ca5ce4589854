#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tertium/comparisons/answer.hpp"

namespace tertium {

/// One exact 64-bit sum for every unordered pair of items, kept for the pairs that occur.
///
/// Up to `dense_items` items: a square table, one addition per answer and pair. Beyond: pairs are
/// spread over buckets; each bucket is a sorted list plus a short list of additions not yet sorted
/// in, at most a quarter of it, so memory stays near 16 bytes per pair and an addition costs O(1)
/// amortised. Sums do not depend on the order of additions.
class PairSums {
 public:
  static constexpr std::size_t dense_items = 2048;

  /// Makes room for items 0 .. count-1. Must be called before they are added.
  void reserve_items(std::size_t count);

  /// Adds `weight` to the pair {a, b}, a != b.
  void add(ItemId a, ItemId b, Weight weight) {
    if (buckets_.empty()) {
      square_[a * stride_ + b] += weight;
    } else {
      add_sparse(a, b, weight);
    }
  }

  /// The square table and its stride, or null when sums are kept in buckets.
  Weight* square() { return buckets_.empty() ? square_.data() : nullptr; }
  [[nodiscard]] std::size_t stride() const { return stride_; }

  /// Adds all sums of `other`, whose item i is item `ids[i]` here.
  void add_all(PairSums& other, std::span<const ItemId> ids);

  /// Calls `visit(a, b, sum)` with a < b for every pair whose sum is not zero, in no particular
  /// order. With `release`, memory is given back on the way and the sums are empty afterwards.
  void for_each(const std::function<void(ItemId, ItemId, Weight)>& visit, bool release = false);

  /// Entries held in buckets (0 while the table is square).
  [[nodiscard]] std::size_t bucket_entries() const { return bucket_entries_; }

  /// All sums to zero, room for items kept.
  void clear();

 private:
  struct Entry {
    std::uint64_t pair;  // larger item in the upper half
    Weight sum;
  };
  struct Bucket {
    std::vector<Entry> sorted;
    std::vector<Entry> pending;
  };

  void add_sparse(ItemId a, ItemId b, Weight weight);
  void sort_in(Bucket& bucket);
  void leave_square();

  std::size_t items_ = 0;
  std::size_t stride_ = 0;
  std::vector<Weight> square_;
  std::vector<Bucket> buckets_;
  std::size_t bucket_entries_ = 0;
  std::vector<Entry> scratch_;
};

}  // namespace tertium
