#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "tertium/answers/items.hpp"

namespace tertium {

/// What was asked. The items of an Answer mean, in order:
///   triplet       anchor, near, far:       anchor is more like near than like far
///   quadruplet    i, j, r, s:              i and j are more alike than r and s
///   odd_one_out   a, b, odd:               a and b belong together, odd does not
///   most_central  central, other, other:   central lies between the others
enum class QuestionKind : std::uint8_t { triplet, quadruplet, odd_one_out, most_central };

std::string_view to_string(QuestionKind kind);

/// Weights are kept as whole millionths, so that sums are exact and do not depend on their order.
using Weight = std::int64_t;
inline constexpr Weight weight_one = 1'000'000;

/// Number of a participant in the ReadReport; 0 when the file names none.
using ParticipantId = std::uint32_t;

/// One answered question, items by their number in the ItemTable of the reader's sink.
struct Answer {
  QuestionKind kind = QuestionKind::triplet;
  std::array<ItemId, 4> items{};
  std::uint32_t screen = 0;  // the same for all answers that follow from one response
  Weight weight = weight_one;
  ParticipantId participant = 0;
  std::uint8_t position = 0;   // which of the options shown was picked, from 1; 0: not known
  std::uint8_t positions = 0;  // how many options were shown; 0: not known
};

/// Number of items that a question of this kind shows.
constexpr std::size_t items_in(QuestionKind kind) {
  return kind == QuestionKind::quadruplet ? 4 : 3;
}

/// Number of triplets or quadruplets that an answer of this kind gives.
constexpr std::size_t comparisons_in(QuestionKind kind) {
  return kind == QuestionKind::odd_one_out || kind == QuestionKind::most_central ? 2 : 1;
}

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

}  // namespace tertium
