#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "tertium/answers.hpp"

namespace tertium::internal {

/// True if items that must differ are the same: such an answer says nothing and must not be used.
/// For quadruplets the two pairs must differ as unordered pairs.
inline bool compares_with_itself(QuestionKind kind, std::span<const ItemId> items) {
  if (kind != QuestionKind::quadruplet) {
    return items[0] == items[1] || items[0] == items[2] || items[1] == items[2];
  }
  const bool same_pairs = (items[0] == items[2] && items[1] == items[3]) ||
                          (items[0] == items[3] && items[1] == items[2]);
  return items[0] == items[1] || items[2] == items[3] || same_pairs;
}

/// The triplets (anchor, near, far) that an answer gives: one for a triplet, (a,b,odd) and
/// (b,a,odd) for odd-one-out, (b,central,c) and (c,central,b) for most-central. Not for
/// quadruplets.
struct TripletList {
  std::array<std::array<ItemId, 3>, 2> triplets{};
  std::size_t size = 0;
};
inline TripletList triplets_of(QuestionKind kind, std::span<const ItemId> items) {
  const auto [a, b, c] = std::array{items[0], items[1], items[2]};
  switch (kind) {
    case QuestionKind::triplet:
      return {{{{a, b, c}}}, 1};
    case QuestionKind::odd_one_out:
      return {{{{a, b, c}, {b, a, c}}}, 2};
    case QuestionKind::most_central:
      return {{{{b, a, c}, {c, a, b}}}, 2};
    case QuestionKind::quadruplet:
      break;
  }
  return {};
}

/// The answer in words: "'hog' is more like 'monkey' than like 'giraffe'".
std::string sentence(QuestionKind kind, std::span<const ItemId> items, const ItemTable& names);

}  // namespace tertium::internal
