#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/planted/counter_random.hpp"
#include "tertium/planted/latent.hpp"
#include "tertium/simulate.hpp"

namespace tertium::internal {

/// A number for every unordered pair of different items, without gaps.
inline std::uint64_t pair_number(ItemId i, ItemId j) {
  const std::uint64_t high = std::max(i, j);
  return high * (high - 1) / 2 + std::min(i, j);
}

/// The similarities w_ij of the planted model: independent, from F_in inside clusters and from
/// F_out between them, fixed for each pair by the key and never stored.
class PlantedPairs {
 public:
  PlantedPairs(const std::vector<std::int32_t>& labels, const InsideAgainstOutside& contest,
               std::uint64_t key)
      : labels_(labels.data()), contest_(&contest), key_(key) {}

  /// w_ij > w_rs.
  [[nodiscard]] bool more_alike(ItemId i, ItemId j, ItemId r, ItemId s) const {
    const std::uint64_t first = random_at(key_, pair_number(i, j));
    const std::uint64_t second = random_at(key_, pair_number(r, s));
    const bool first_inside = labels_[i] == labels_[j];
    const bool second_inside = labels_[r] == labels_[s];
    // Bitwise: branches could not be predicted.
    const bool unlike = first_inside != second_inside;
    const bool inside_wins =
        contest_->inside_is_larger(first_inside ? first : second, first_inside ? second : first);
    return (unlike & (inside_wins == first_inside)) | (!unlike & (first > second));
  }

  /// Where w_ij ranks in its distribution, in (0, 1).
  [[nodiscard]] double rank(ItemId i, ItemId j) const {
    return unit_interval(random_at(key_, pair_number(i, j)));
  }

 private:
  const std::int32_t* labels_;  // both outlive this
  const InsideAgainstOutside* contest_;
  std::uint64_t key_;
};

/// Similarities of given points. Equal ones are told apart by chance, as in the model no two are
/// equal.
class PointPairs {
 public:
  PointPairs(const Points& points, std::uint64_t key) : points_(&points), key_(key) {}

  [[nodiscard]] bool more_alike(ItemId i, ItemId j, ItemId r, ItemId s) const {
    const double first = points_->likeness(i, j);
    const double second = points_->likeness(r, s);
    if (first != second) return first > second;
    return random_at(key_, pair_number(i, j)) > random_at(key_, pair_number(r, s));
  }

 private:
  const Points* points_;  // outlives this
  std::uint64_t key_;
};

}  // namespace tertium::internal
