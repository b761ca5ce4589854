#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "tertium/answers/answer.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// Exact sums over pairs of items, kept for the pairs that occur.
///
/// Pairs are spread over buckets. Counts of answers of weight one are packed with their pair into
/// eight bytes; a bucket has a sorted list of them and a list of additions not yet sorted in that
/// is at most half as long, so that memory stays near 12 bytes per pair and an addition costs O(1)
/// amortised. Counts beyond 2000 and other weights have entries of sixteen bytes. Additions may
/// come from several threads at once.
class BucketSums {
 public:
  BucketSums();

  /// One addition of weight one (or minus one) to the pair {a, b}, packed; ids below 2^31.
  static std::uint64_t unit(ItemId a, ItemId b, bool negative) {
    const ItemId high = a > b ? a : b;
    const ItemId low = a > b ? b : a;
    return (std::uint64_t{high} << 32U) | (std::uint64_t{low} << 1U) | (negative ? 1U : 0U);
  }

  /// Many units at once, in any order.
  void add_units(const std::vector<std::uint64_t>& units);

  void add(ItemId a, ItemId b, Weight weight);

  /// Sorts in everything that waits; must come before `for_each`.
  void settle(Run& run);

  /// Calls `visit(high, low, sum)` for every pair whose sum is not zero, by increasing (high, low).
  /// `items` is one more than the largest id.
  template <class Visit>
  void for_each(std::size_t items, const Visit& visit) const {
    std::vector<Cursor> cursors(bucket_count);
    for (ItemId high = 0; high < items; ++high) {
      visit_row(buckets_[bucket_of(high)], high, cursors[bucket_of(high)], visit);
    }
  }

 private:
  static constexpr unsigned bucket_bits = 10;
  static constexpr std::size_t bucket_count = std::size_t{1} << bucket_bits;

  // Packed: the pair (the bits of the higher id that did not choose the bucket, then the lower id)
  // above a count with an offset.
  static constexpr unsigned count_bits = 12;
  static constexpr std::int64_t zero_count = 2048;
  static constexpr std::int64_t largest_count = 2000;
  static constexpr unsigned low_bits = 31;

  struct Entry {
    std::uint64_t pair;
    Weight sum;
  };
  struct Bucket {
    std::mutex mutex;
    std::vector<std::uint64_t> counts;   // sorted, every pair once
    std::vector<std::uint64_t> waiting;  // additions to the counts
    std::vector<Entry> sums;             // additions of another kind; the first ones are sorted
    std::size_t sorted_sums = 0;
  };
  struct Cursor {
    std::size_t count = 0;
    std::size_t sum = 0;
  };

  static std::size_t bucket_of(ItemId high) { return high & (bucket_count - 1); }
  static std::uint64_t pair_of(ItemId high, ItemId low) {
    return (std::uint64_t{high >> bucket_bits} << low_bits) | low;
  }
  static void sort_in(Bucket& bucket);
  static void sort_sums(Bucket& bucket);

  template <class Visit>
  static void visit_row(const Bucket& bucket, ItemId high, Cursor& cursor, const Visit& visit) {
    const std::uint64_t row_end = pair_of(high, 0) + (std::uint64_t{1} << low_bits);
    const auto next_count = [&] {
      return cursor.count < bucket.counts.size() ? bucket.counts[cursor.count] >> count_bits
                                                 : ~0ULL;
    };
    const auto next_sum = [&] {
      return cursor.sum < bucket.sums.size() ? bucket.sums[cursor.sum].pair : ~0ULL;
    };
    while (true) {
      const std::uint64_t pair = next_count() < next_sum() ? next_count() : next_sum();
      if (pair >= row_end) return;
      Weight sum = 0;
      if (next_count() == pair) {
        const std::uint64_t packed = bucket.counts[cursor.count++];
        const auto count =
            static_cast<std::int64_t>(packed & ((1U << count_bits) - 1)) - zero_count;
        sum += count * weight_one;
      }
      if (next_sum() == pair) sum += bucket.sums[cursor.sum++].sum;
      if (sum != 0) visit(high, static_cast<ItemId>(pair & ((1ULL << low_bits) - 1)), sum);
    }
  }

  std::unique_ptr<std::array<Bucket, bucket_count>> storage_;
  Bucket* buckets_;
};

}  // namespace tertium::internal
