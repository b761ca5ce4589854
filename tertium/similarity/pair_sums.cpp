#include "tertium/similarity/pair_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace tertium {
namespace {

constexpr std::size_t smallest_stride = 64;
constexpr std::size_t bucket_count = 1024;
constexpr std::size_t smallest_pending = 1024;

/// Spreads pairs over buckets whatever the pattern of ids (Fibonacci hashing of the larger item).
std::size_t bucket_of(ItemId larger) {
  return (larger * 0x9E3779B97F4A7C15ULL) >> 54U;  // the upper 10 bits
}
static_assert(bucket_count == 1U << 10U);

}  // namespace

void PairSums::reserve_items(std::size_t count) {
  if (count <= items_) return;
  items_ = count;
  if (!buckets_.empty() || count <= stride_) return;
  if (count > dense_items) {
    leave_square();
    return;
  }
  const std::size_t stride = std::max(smallest_stride, std::bit_ceil(count));
  std::vector<Weight> square(stride * stride);
  for (std::size_t row = 0; row < stride_; ++row) {
    std::copy_n(square_.begin() + static_cast<std::ptrdiff_t>(row * stride_), stride_,
                square.begin() + static_cast<std::ptrdiff_t>(row * stride));
  }
  square_ = std::move(square);
  stride_ = stride;
}

void PairSums::leave_square() {
  const std::vector<Weight> square = std::exchange(square_, {});
  const std::size_t stride = std::exchange(stride_, 0);
  buckets_.resize(bucket_count);
  for (std::size_t a = 0; a < stride; ++a) {
    for (std::size_t b = 0; b < stride; ++b) {
      const Weight sum = square[a * stride + b];
      if (sum != 0) add_sparse(static_cast<ItemId>(a), static_cast<ItemId>(b), sum);
    }
  }
}

void PairSums::add_sparse(ItemId a, ItemId b, Weight weight) {
  if (a < b) std::swap(a, b);
  Bucket& bucket = buckets_[bucket_of(a)];
  bucket.pending.push_back({(std::uint64_t{a} << 32U) | b, weight});
  ++bucket_entries_;
  if (bucket.pending.size() >= std::max(smallest_pending, bucket.sorted.size() / 4)) {
    sort_in(bucket);
  }
}

/// Sorts the pending additions and merges them into the sorted list, adding up equal pairs.
void PairSums::sort_in(Bucket& bucket) {
  if (bucket.pending.empty()) return;
  const std::size_t before = bucket.sorted.size() + bucket.pending.size();
  std::sort(bucket.pending.begin(), bucket.pending.end(),
            [](const Entry& x, const Entry& y) { return x.pair < y.pair; });
  std::vector<Entry>& merged = scratch_;
  merged.clear();
  merged.reserve(before);
  const auto append = [&](const Entry& entry) {
    if (!merged.empty() && merged.back().pair == entry.pair) {
      merged.back().sum += entry.sum;
    } else {
      merged.push_back(entry);
    }
  };
  auto old = bucket.sorted.begin();
  for (const Entry& added : bucket.pending) {
    while (old != bucket.sorted.end() && old->pair <= added.pair) append(*old++);
    append(added);
  }
  for (; old != bucket.sorted.end(); ++old) append(*old);
  bucket.sorted.assign(merged.begin(), merged.end());
  bucket.pending.clear();
  bucket_entries_ -= before - bucket.sorted.size();
}

void PairSums::add_all(PairSums& other, std::span<const ItemId> ids) {
  other.for_each([&](ItemId a, ItemId b, Weight sum) { add(ids[a], ids[b], sum); });
}

void PairSums::for_each(const std::function<void(ItemId, ItemId, Weight)>& visit, bool release) {
  for (std::size_t a = 0; a < stride_; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const Weight sum = square_[a * stride_ + b] + square_[b * stride_ + a];
      if (sum != 0) visit(static_cast<ItemId>(b), static_cast<ItemId>(a), sum);
    }
  }
  for (Bucket& bucket : buckets_) {
    sort_in(bucket);
    for (const Entry& entry : bucket.sorted) {
      if (entry.sum == 0) continue;
      visit(static_cast<ItemId>(entry.pair), static_cast<ItemId>(entry.pair >> 32U), entry.sum);
    }
    if (release) bucket = {};
  }
  if (release) clear();
}

void PairSums::clear() {
  std::fill(square_.begin(), square_.end(), 0);
  for (Bucket& bucket : buckets_) {
    bucket.sorted.clear();
    bucket.pending.clear();
  }
  bucket_entries_ = 0;
}

}  // namespace tertium
