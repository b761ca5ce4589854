#include "tertium/similarity/bucket_sums.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tertium {
namespace {

constexpr std::size_t fewest_pending = 4096;
constexpr unsigned digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

/// Shorter lists are sorted by comparing.
constexpr std::size_t shortest_radix_sort = 512;

}  // namespace

BucketSums::BucketSums()
    : storage_(std::make_unique<std::array<Bucket, bucket_count>>()), buckets_(storage_->data()) {}

bool BucketSums::is_full(const Bucket& bucket) {
  return bucket.units.size() + bucket.weighted.size() >=
         std::max(fewest_pending, bucket.sorted.size() / 2);
}

void BucketSums::add(ItemId a, ItemId b, Weight weight) {
  if (a < b) std::swap(a, b);
  Bucket& bucket = buckets_[bucket_of(a)];
  const std::scoped_lock lock(bucket.mutex);
  bucket.weighted.push_back({(std::uint64_t{a} << 32U) | b, weight});
  if (is_full(bucket)) sort_in(bucket);
}

void BucketSums::add_units(std::vector<std::uint64_t>& units) {
  std::array<std::uint32_t, bucket_count + 1> start{};
  const auto bucket_of_unit = [](std::uint64_t unit) {
    return bucket_of(static_cast<ItemId>(unit >> 32U));
  };
  for (const std::uint64_t unit : units) ++start[bucket_of_unit(unit) + 1];
  for (std::size_t b = 0; b < bucket_count; ++b) start[b + 1] += start[b];
  std::vector<std::uint64_t> grouped(units.size());
  std::array<std::uint32_t, bucket_count> next{};
  std::copy_n(start.begin(), bucket_count, next.begin());
  for (const std::uint64_t unit : units) grouped[next[bucket_of_unit(unit)]++] = unit;
  for (std::size_t b = 0; b < bucket_count; ++b) {
    if (start[b] == start[b + 1]) continue;
    Bucket& bucket = buckets_[b];
    const std::scoped_lock lock(bucket.mutex);
    bucket.units.insert(bucket.units.end(), grouped.begin() + start[b],
                        grouped.begin() + start[b + 1]);
    if (is_full(bucket)) sort_in(bucket);
  }
}

void BucketSums::settle(int threads) {
  std::atomic<std::size_t> next = 0;
  run_workers(threads, [&](int) {
    for (std::size_t b = next++; b < bucket_count; b = next++) sort_in(buckets_[b]);
  });
}

/// Sorts the waiting additions and merges them into the sorted list, adding up equal pairs.
void BucketSums::sort_in(Bucket& bucket) {
  if (bucket.units.empty() && bucket.weighted.empty()) return;
  std::vector<Entry> added = std::move(bucket.weighted);
  bucket.weighted = {};
  added.reserve(added.size() + bucket.units.size());
  for (const std::uint64_t unit : bucket.units) {
    const std::uint64_t low = (unit & 0xFFFFFFFFU) >> 1U;
    added.push_back(
        {(unit & ~std::uint64_t{0xFFFFFFFFU}) | low, (unit & 1U) != 0 ? -weight_one : weight_one});
  }
  bucket.units.clear();
  sort_by_pair(added);
  std::vector<Entry> merged;
  merged.reserve(bucket.sorted.size() + added.size());
  auto old = bucket.sorted.begin();
  const auto old_end = bucket.sorted.end();
  for (std::size_t at = 0; at < added.size();) {
    Entry sum = added[at++];
    while (at < added.size() && added[at].pair == sum.pair) sum.sum += added[at++].sum;
    while (old != old_end && old->pair < sum.pair) merged.push_back(*old++);
    if (old != old_end && old->pair == sum.pair) sum.sum += (old++)->sum;
    merged.push_back(sum);
  }
  merged.insert(merged.end(), old, old_end);
  bucket.sorted = std::move(merged);
}

/// Radix sort over the bits in which the pairs of a bucket differ: all of the lower id, and the
/// higher id without the bits that chose the bucket.
void BucketSums::sort_by_pair(std::vector<Entry>& entries) {
  const auto by_pair = [](const Entry& x, const Entry& y) { return x.pair < y.pair; };
  if (entries.size() < shortest_radix_sort) {
    std::sort(entries.begin(), entries.end(), by_pair);
    return;
  }
  ItemId highest = 0;
  for (const Entry& entry : entries) {
    highest = std::max(highest, static_cast<ItemId>(entry.pair >> 32U));
  }
  const auto low_bits = static_cast<unsigned>(std::bit_width(highest));
  const unsigned high_bits = low_bits - std::min<unsigned>(low_bits, bucket_bits);
  const auto key = [&](const Entry& entry) {
    return ((entry.pair >> (32U + bucket_bits)) << low_bits) | (entry.pair & 0xFFFFFFFFU);
  };
  std::vector<Entry> other(entries.size());
  for (unsigned shift = 0; shift < low_bits + high_bits; shift += digit_bits) {
    std::array<std::uint32_t, digits> next{};
    for (const Entry& entry : entries) ++next[(key(entry) >> shift) & (digits - 1)];
    std::uint32_t start = 0;
    for (std::uint32_t& place : next) start += std::exchange(place, start);
    for (const Entry& entry : entries) other[next[(key(entry) >> shift) & (digits - 1)]++] = entry;
    entries.swap(other);
  }
}

}  // namespace tertium
