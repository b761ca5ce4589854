#pragma once

#include <array>
#include <cstdint>

#include "tertium/answers/answer.hpp"
#include "tertium/planted/keyed_order.hpp"
#include "tertium/simulate.hpp"

namespace tertium::internal {

/// Most items that questions can be drawn about: their numbers fit into 64 bits.
std::uint64_t most_items(QuestionKind kind);

/// Unordered pairs of 0 .. m-1, m > 1, as a tournament plays them, which needs no square root:
/// `rounds` rounds of m / 2 matches, in each of which nobody plays twice.
struct Tournament {
  explicit Tournament(std::uint64_t players)
      : m(players), rounds(players - (players % 2 == 0 ? 1 : 0)), matches(players / 2) {}

  [[nodiscard]] std::uint64_t pairs() const { return rounds * matches; }
  [[nodiscard]] std::array<std::uint64_t, 2> pair(std::uint64_t round, std::uint64_t match) const {
    const std::uint64_t apart = match + m % 2;
    const std::uint64_t one = round + apart;
    const std::uint64_t other = round + rounds - apart;
    // Among an even number of players the last one plays the one who would play himself.
    return {apart == 0 ? m - 1 : (one >= rounds ? one - rounds : one),
            other >= rounds ? other - rounds : other};
  }
  [[nodiscard]] std::array<std::uint64_t, 2> pair(std::uint64_t number) const {
    return pair(number / matches, number % matches);
  }

  std::uint64_t m;
  std::uint64_t rounds;
  std::uint64_t matches;
};

/// Questions in random order, found from their position alone: memory does not grow.
class QuestionSampler {
 public:
  /// Most questions that are made at once.
  static constexpr std::size_t block = 256;
  using Block = std::array<std::array<ItemId, 4>, block>;

  /// 3 <= items <= most_items(kind).
  QuestionSampler(QuestionKind kind, std::uint64_t items, Sampling sampling, std::uint64_t seed);

  /// The items of the questions at positions [first, first + count), count <= block: anchor and two
  /// options; two pairs; or three items in decreasing order. Without replacement there are
  /// count_questions positions.
  void fill(std::uint64_t first, std::size_t count, Block& questions) const;

 private:
  struct Cells {
    std::array<std::uint64_t, block> row;
    std::array<std::uint64_t, block> column;
  };

  QuestionSampler(QuestionKind kind, std::uint64_t items, Sampling sampling, std::uint64_t key,
                  std::array<std::uint64_t, 2> grid);
  void draw(std::uint64_t first, std::size_t count, Cells& cells) const;
  [[nodiscard]] bool in_gap(std::uint64_t row, std::uint64_t column) const {
    return column >= in_last_row_ && row == rows_ - 1;
  }

  QuestionKind kind_;
  Sampling sampling_;
  std::uint64_t key_;
  Tournament pairs_;           // of items
  Tournament options_;         // pairs of the items beside the anchor
  Tournament pairs_of_pairs_;  // of items
  // The questions are the cells of a grid; its last row may have a gap at the end.
  std::uint64_t rows_;
  std::uint64_t columns_;
  std::uint64_t in_last_row_;
  KeyedOrder order_;
};

}  // namespace tertium::internal
