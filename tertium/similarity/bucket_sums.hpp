#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tertium/comparisons/answer.hpp"
#include "tertium/core/threads.hpp"

namespace tertium {

/// Exact sums over pairs of many items, kept for the pairs that occur.
///
/// Pairs are spread over buckets. A bucket is a sorted list of pairs with their sums, and a list of
/// additions not yet sorted in that is at most half as long; so memory stays near 20 bytes per pair
/// and an addition costs O(1) amortised. Additions may come from several threads at once.
class BucketSums {
 public:
  /// One addition of weight one (or minus one) to the pair {a, b}; ids below 2^31.
  static std::uint64_t unit(ItemId a, ItemId b, bool negative) {
    const ItemId high = a > b ? a : b;
    const ItemId low = a > b ? b : a;
    return (std::uint64_t{high} << 32U) | (std::uint64_t{low} << 1U) | (negative ? 1U : 0U);
  }

  BucketSums();

  void add(ItemId a, ItemId b, Weight weight);

  /// Many units at once, in any order. `units` is used as scratch space.
  void add_units(std::vector<std::uint64_t>& units);

  /// Sorts in everything that waits, so that `for_each` may be called.
  void settle(int threads);

  /// Calls `visit(high, low, sum)` for every pair whose sum is not zero.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t b = 0; b < bucket_count; ++b) visit_bucket(b, visit);
  }

  /// The same in each of `threads` threads, as `visit(worker, high, low, sum)`: every thread sees
  /// every pair. The memory of a bucket is given back after the last thread has seen it.
  template <class Visit>
  void for_each_and_release(int threads, const Visit& visit) {
    std::vector<std::atomic<int>> unseen(bucket_count);
    for (auto& count : unseen) count = threads;
    run_workers(threads, [&](int worker) {
      for (std::size_t b = 0; b < bucket_count; ++b) {
        visit_bucket(b,
                     [&](ItemId high, ItemId low, Weight sum) { visit(worker, high, low, sum); });
        if (--unseen[b] == 0) buckets_[b].sorted = {};
      }
    });
  }

 private:
  static constexpr std::size_t bucket_bits = 10;
  static constexpr std::size_t bucket_count = std::size_t{1} << bucket_bits;

  struct Entry {
    std::uint64_t pair;  // the higher id in the upper half
    Weight sum;
  };
  struct Bucket {
    std::mutex mutex;
    std::vector<Entry> sorted;
    std::vector<std::uint64_t> units;  // additions of weight one
    std::vector<Entry> weighted;       // other additions
  };

  template <class Visit>
  void visit_bucket(std::size_t b, const Visit& visit) const {
    for (const Entry& entry : buckets_[b].sorted) {
      if (entry.sum == 0) continue;
      visit(static_cast<ItemId>(entry.pair >> 32U), static_cast<ItemId>(entry.pair), entry.sum);
    }
  }

  static std::size_t bucket_of(ItemId high) { return high & (bucket_count - 1); }
  static bool is_full(const Bucket& bucket);
  static void sort_in(Bucket& bucket);
  static void sort_by_pair(std::vector<Entry>& entries);

  std::unique_ptr<std::array<Bucket, bucket_count>> storage_;
  Bucket* buckets_;
};

}  // namespace tertium
