#include "tertium/similarity/bucket_sums.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

namespace tertium::internal {
namespace {

constexpr std::size_t fewest_waiting = 4096;
constexpr unsigned digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

/// Shorter lists are sorted by comparing.
constexpr std::size_t shortest_radix_sort = 512;

/// Sorts by the bits from `first_bit` on.
void radix_sort(std::vector<std::uint64_t>& numbers, unsigned first_bit) {
  if (numbers.size() < shortest_radix_sort) {
    std::sort(numbers.begin(), numbers.end());
    return;
  }
  std::uint64_t used = 0;
  for (const std::uint64_t number : numbers) used |= number;
  const auto last_bit = static_cast<unsigned>(std::bit_width(used));
  std::vector<std::uint64_t> other(numbers.size());
  for (unsigned shift = first_bit; shift < last_bit; shift += digit_bits) {
    if (((used >> shift) & (digits - 1)) == 0) continue;  // no number differs there
    std::array<std::uint32_t, digits> next{};
    for (const std::uint64_t number : numbers) ++next[(number >> shift) & (digits - 1)];
    std::uint32_t start = 0;
    for (std::uint32_t& place : next) start += std::exchange(place, start);
    for (const std::uint64_t number : numbers) {
      other[next[(number >> shift) & (digits - 1)]++] = number;
    }
    numbers.swap(other);
  }
}

}  // namespace

BucketSums::BucketSums()
    : storage_(std::make_unique<std::array<Bucket, bucket_count>>()), buckets_(storage_->data()) {}

void BucketSums::add(ItemId a, ItemId b, Weight weight) {
  const auto [low, high] = std::minmax(a, b);
  Bucket& bucket = buckets_[bucket_of(high)];
  const std::scoped_lock lock(bucket.mutex);
  bucket.sums.push_back({pair_of(high, low), weight});
  if (bucket.sums.size() > fewest_waiting + 2 * bucket.sorted_sums) sort_sums(bucket);
}

void BucketSums::add_units(const std::vector<std::uint64_t>& units) {
  const auto bucket_of_unit = [](std::uint64_t unit) {
    return bucket_of(static_cast<ItemId>(unit >> 32U));
  };
  std::array<std::uint32_t, bucket_count + 1> start{};
  for (const std::uint64_t unit : units) ++start[bucket_of_unit(unit) + 1];
  for (std::size_t b = 0; b < bucket_count; ++b) start[b + 1] += start[b];
  std::vector<std::uint64_t> grouped(units.size());
  std::array<std::uint32_t, bucket_count> next{};
  std::copy_n(start.begin(), bucket_count, next.begin());
  for (const std::uint64_t unit : units) {
    const auto high = static_cast<ItemId>(unit >> 32U);
    const auto low = static_cast<ItemId>((unit & 0xFFFFFFFFU) >> 1U);
    const std::int64_t count = (unit & 1U) != 0 ? -1 : 1;
    grouped[next[bucket_of(high)]++] =
        (pair_of(high, low) << count_bits) | static_cast<std::uint64_t>(zero_count + count);
  }
  for (std::size_t b = 0; b < bucket_count; ++b) {
    if (start[b] == start[b + 1]) continue;
    Bucket& bucket = buckets_[b];
    const std::scoped_lock lock(bucket.mutex);
    bucket.waiting.insert(bucket.waiting.end(), grouped.begin() + start[b],
                          grouped.begin() + start[b + 1]);
    if (bucket.waiting.size() >= std::max(fewest_waiting, bucket.counts.size() / 2)) {
      sort_in(bucket);
    }
  }
}

void BucketSums::settle(Run& run) {
  std::atomic<std::size_t> next = 0;
  run.workers(run.threads(), [&](int) {
    for (std::size_t b = next++; b < bucket_count; b = next++) {
      sort_in(buckets_[b]);
      sort_sums(buckets_[b]);
    }
  });
}

/// Sorts the waiting additions and merges them into the sorted counts, adding up equal pairs.
void BucketSums::sort_in(Bucket& bucket) {
  std::vector<std::uint64_t>& added = bucket.waiting;
  if (added.empty()) return;
  radix_sort(added, count_bits);
  std::vector<std::uint64_t> merged;
  merged.reserve(bucket.counts.size() + added.size());
  const auto count_in = [](std::uint64_t packed) {
    return static_cast<std::int64_t>(packed & ((1U << count_bits) - 1)) - zero_count;
  };
  auto old = bucket.counts.begin();
  const auto old_end = bucket.counts.end();
  for (std::size_t at = 0; at < added.size();) {
    const std::uint64_t pair = added[at] >> count_bits;
    std::int64_t count = 0;
    for (; at < added.size() && added[at] >> count_bits == pair; ++at) count += count_in(added[at]);
    while (old != old_end && *old >> count_bits < pair) merged.push_back(*old++);
    if (old != old_end && *old >> count_bits == pair) count += count_in(*old++);
    if (count > largest_count || count < -largest_count) {
      bucket.sums.push_back({pair, count * weight_one});
    } else {
      merged.push_back((pair << count_bits) | static_cast<std::uint64_t>(zero_count + count));
    }
  }
  merged.insert(merged.end(), old, old_end);
  bucket.counts = std::move(merged);
  added.clear();
  added.shrink_to_fit();
}

void BucketSums::sort_sums(Bucket& bucket) {
  std::vector<Entry>& sums = bucket.sums;
  std::sort(sums.begin(), sums.end(),
            [](const Entry& x, const Entry& y) { return x.pair < y.pair; });
  std::size_t kept = 0;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    if (kept > 0 && sums[kept - 1].pair == sums[at].pair) {
      sums[kept - 1].sum += sums[at].sum;
    } else {
      sums[kept++] = sums[at];
    }
  }
  sums.resize(kept);
  bucket.sorted_sums = kept;
}

}  // namespace tertium::internal
