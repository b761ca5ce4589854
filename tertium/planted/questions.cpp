#include "tertium/planted/questions.hpp"

#include <cmath>

#include "tertium/planted/counter_random.hpp"

namespace tertium::internal {
namespace {

double pairs_among(double count) { return count * (count - 1) / 2; }

__extension__ using Wide = unsigned __int128;

/// x (x-1) (x-2) / 6, and x (x-1) / 2.
Wide triples_below(std::uint64_t x) { return x < 3 ? 0 : Wide{x} * (x - 1) / 2 * (x - 2) / 3; }
Wide pairs_below(std::uint64_t x) { return x < 2 ? 0 : Wide{x} * (x - 1) / 2; }

/// The largest x with count(x) <= number, from a guess that rounding may have moved.
template <typename Count>
std::uint64_t largest_with(const Count& count, std::uint64_t number, double guess) {
  auto x = static_cast<std::uint64_t>(guess);
  while (count(x) > number) --x;
  while (count(x + 1) <= number) ++x;
  return x;
}

/// Rows and columns of the grid of questions.
std::array<std::uint64_t, 2> grid_of(QuestionKind kind, std::uint64_t items) {
  if (kind == QuestionKind::triplet) return {items, Tournament(items - 1).pairs()};
  if (kind == QuestionKind::quadruplet) {
    const Tournament tournament(Tournament(items).pairs());
    return {tournament.rounds, tournament.matches};
  }
  // No product of two numbers in general: the squarest grid that holds them.
  const auto count = static_cast<std::uint64_t>(triples_below(items));
  const auto columns = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  return {(count - 1) / columns + 1, columns};
}

ItemId narrow(std::uint64_t item) { return static_cast<ItemId>(item); }

/// The three items with this number, in decreasing order.
std::array<ItemId, 4> three_items(std::uint64_t number) {
  const auto largest =
      largest_with(triples_below, number, 1 + std::cbrt(6 * static_cast<double>(number)));
  number -= static_cast<std::uint64_t>(triples_below(largest));
  const auto middle =
      largest_with(pairs_below, number, 1 + std::sqrt(2 * static_cast<double>(number)));
  number -= static_cast<std::uint64_t>(pairs_below(middle));
  return {narrow(largest), narrow(middle), narrow(number), 0};
}

}  // namespace

std::uint64_t most_items(QuestionKind kind) {
  const bool numbered = kind == QuestionKind::odd_one_out || kind == QuestionKind::most_central;
  return numbered ? 4'000'000 : 1'000'000'000;
}

QuestionSampler::QuestionSampler(QuestionKind kind, std::uint64_t items, Sampling sampling,
                                 std::uint64_t seed)
    : QuestionSampler(kind, items, sampling, key_for(seed, RandomUse::questions),
                      grid_of(kind, items)) {}

QuestionSampler::QuestionSampler(QuestionKind kind, std::uint64_t items, Sampling sampling,
                                 std::uint64_t key, std::array<std::uint64_t, 2> grid)
    : kind_(kind),
      sampling_(sampling),
      key_(key),
      pairs_(items),
      options_(items - 1),
      pairs_of_pairs_(pairs_.pairs()),
      rows_(grid[0]),
      columns_(grid[1]),
      in_last_row_(columns_),
      order_(rows_, columns_, key) {
  if (kind == QuestionKind::odd_one_out || kind == QuestionKind::most_central) {
    in_last_row_ = static_cast<std::uint64_t>(triples_below(items)) - (rows_ - 1) * columns_;
  }
}

void QuestionSampler::draw(std::uint64_t first, std::size_t count, Cells& cells) const {
  auto& [row, column] = cells;
  if (sampling_ == Sampling::without_replacement) {
    order_.fill(first, count, row.data(), column.data());
    // Going on along its cycle, a cell in the gap comes to one that no other cell comes to.
    for (std::size_t i = 0; i < count; ++i) {
      while (in_gap(row[i], column[i])) order_.move_on(1, &row[i], &column[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t key = key_;
    do {
      row[i] = scaled_below(random_at(key, 2 * (first + i)), rows_);
      column[i] = scaled_below(random_at(key, 2 * (first + i) + 1), columns_);
      key = random_at(key, 0);
    } while (in_gap(row[i], column[i]));
  }
}

void QuestionSampler::fill(std::uint64_t first, std::size_t count, Block& questions) const {
  Cells cells;
  draw(first, count, cells);
  const auto& [row, column] = cells;
  switch (kind_) {
    case QuestionKind::triplet:
      for (std::size_t i = 0; i < count; ++i) {
        const auto [one, other] = options_.pair(column[i]);
        questions[i] = {narrow(row[i]), narrow(one + (one >= row[i] ? 1 : 0)),
                        narrow(other + (other >= row[i] ? 1 : 0)), 0};
      }
      return;
    case QuestionKind::quadruplet:
      for (std::size_t i = 0; i < count; ++i) {
        const auto numbers = pairs_of_pairs_.pair(row[i], column[i]);
        const auto first_pair = pairs_.pair(numbers[0]);
        const auto second_pair = pairs_.pair(numbers[1]);
        questions[i] = {narrow(first_pair[0]), narrow(first_pair[1]), narrow(second_pair[0]),
                        narrow(second_pair[1])};
      }
      return;
    case QuestionKind::odd_one_out:
    case QuestionKind::most_central:
      for (std::size_t i = 0; i < count; ++i) {
        questions[i] = three_items(row[i] * columns_ + column[i]);
      }
      return;
  }
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

double count_questions(QuestionKind kind, std::uint64_t items) {
  const auto n = static_cast<double>(items);
  if (items < 3) return 0;
  if (kind == QuestionKind::triplet) return n * pairs_among(n - 1);
  if (kind == QuestionKind::quadruplet) return pairs_among(pairs_among(n));
  return pairs_among(n) * (n - 2) / 3;
}

}  // namespace tertium
