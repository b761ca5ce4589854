#include "tertium/similarity/triangle_sums.hpp"

#include <algorithm>

namespace tertium {
namespace {

constexpr std::uint64_t most_unit_additions = std::uint64_t{1} << 30U;

}  // namespace

void TriangleSums::reserve_items(std::size_t count) {
  while (row_start_.size() < count) {
    const std::size_t a = row_start_.size();
    row_start_.push_back(static_cast<std::uint32_t>(a == 0 ? 0 : a * (a - 1) / 2));
  }
  const std::size_t cells = count < 2 ? 0 : count * (count - 1) / 2;
  if (units_.size() < cells) units_.resize(cells);
  if (!sums_.empty() && sums_.size() < cells) sums_.resize(cells);
}

void TriangleSums::add(ItemId a, ItemId b, Weight weight) {
  if (sums_.empty()) sums_.resize(units_.size());
  sums_[place(a, b)] += weight;
}

void TriangleSums::add_triplets(const ItemId* triplets, std::size_t count) {
  if (unit_additions_ + count > most_unit_additions) move_units();
  unit_additions_ += count;
  std::int32_t* const units = units_.data();
  const std::uint32_t* const row_start = row_start_.data();
  const auto at = [&](ItemId a, ItemId b) -> std::int32_t& {
    return units[row_start[std::max(a, b)] + std::min(a, b)];
  };
  for (std::size_t t = 0; t < 3 * count; t += 3) {
    at(triplets[t], triplets[t + 1]) += 1;
    at(triplets[t], triplets[t + 2]) -= 1;
  }
}

void TriangleSums::move_units() {
  sums_.resize(units_.size());
  for (std::size_t at = 0; at < units_.size(); ++at) sums_[at] += Weight{units_[at]} * weight_one;
  std::fill(units_.begin(), units_.end(), 0);
  unit_additions_ = 0;
}

void TriangleSums::clear() {
  std::fill(units_.begin(), units_.end(), 0);
  sums_.clear();
  unit_additions_ = 0;
}

}  // namespace tertium
