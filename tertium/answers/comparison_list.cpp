#include "tertium/answers/comparison_list.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "tertium/answers/question.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/random.hpp"

namespace tertium {
namespace {

/// Positions of pairs and of comparisons have 32 bits, and there are up to two pairs in each.
constexpr std::size_t most_comparisons = std::size_t{1} << 31U;

constexpr std::size_t answers_ahead = 16;

[[noreturn]] void refuse_so_many() {
  throw InputError({{}, "2^31 comparisons or more", "fewer", "Take a part of the answers"});
}

std::uint64_t hash(const Question& question) {
  std::uint64_t mixed = static_cast<std::uint64_t>(question.kind);
  for (const ItemId item : question.items) mixed = Random(mixed + item).next();
  return mixed;
}

void add_comparisons(const Answer& answer, std::vector<Comparison>& comparisons) {
  if (answer.kind == QuestionKind::quadruplet) {
    const auto& [i, j, r, s] = answer.items;
    comparisons.push_back({i, j, r, s});
    return;
  }
  const TripletList list = triplets_of(answer.kind, answer.items);
  for (std::size_t t = 0; t < list.size; ++t) {
    const auto& [anchor, near, far] = list.triplets[t];
    comparisons.push_back({anchor, near, anchor, far});
  }
}

/// Numbers of the answers about items with rows, in the order of the row of their first item.
std::vector<std::uint32_t> in_order_of_rows(const std::vector<Answer>& answers,
                                            const std::vector<std::uint32_t>& row_of,
                                            std::size_t rows) {
  const auto has_rows = [&](const Answer& answer) {
    const auto shown = std::span(answer.items).first(items_in(answer.kind));
    return std::none_of(shown.begin(), shown.end(),
                        [&](ItemId item) { return row_of[item] == no_row; });
  };
  std::vector<std::size_t> next(rows + 1, 0);
  for (const Answer& answer : answers) {
    if (has_rows(answer)) ++next[row_of[answer.items[0]] + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> order(next.back());
  for (std::size_t a = 0; a < answers.size(); ++a) {
    if (!has_rows(answers[a])) continue;
    order[next[row_of[answers[a].items[0]]]++] = static_cast<std::uint32_t>(a);
  }
  return order;
}

/// Finds the pairs of all comparisons, row by row of the lower triangle, and tells the comparisons
/// where theirs are.
class PairFinder {
 public:
  PairFinder(ComparisonList& list, std::size_t rows)
      : comparisons_(list.comparisons),
        pairs_(list.pairs),
        pattern_(list.pattern),
        rows_(rows),
        slot_start_(rows + 1, 0) {
    pairs_.resize(comparisons_.size());
    for (std::size_t slot = 0; slot < 2 * comparisons_.size(); ++slot) {
      ++slot_start_[high(slot) + 1];
    }
    std::partial_sum(slot_start_.begin(), slot_start_.end(), slot_start_.begin());
    slots_.resize(2 * comparisons_.size());
    std::vector<std::size_t> next(slot_start_.begin(), slot_start_.end() - 1);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      slots_[next[high(slot)]++] = static_cast<std::uint32_t>(slot);
    }
  }

  void fill() {
    pattern_.row_start.assign(1, 0);
    std::vector<std::uint32_t> position(rows_);
    std::vector<std::uint32_t> seen_in(rows_, no_row);
    std::vector<std::uint32_t> columns;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      const auto slots =
          std::span(slots_).subspan(slot_start_[row], slot_start_[row + 1] - slot_start_[row]);
      columns.clear();
      for (const std::uint32_t slot : slots) {
        const std::uint32_t column = low(slot);
        if (seen_in[column] == row) continue;
        seen_in[column] = row;
        columns.push_back(column);
      }
      std::sort(columns.begin(), columns.end());
      for (const std::uint32_t column : columns) {
        position[column] = static_cast<std::uint32_t>(pattern_.column.size());
        pattern_.column.push_back(column);
      }
      for (const std::uint32_t slot : slots) {
        ComparedPairs& pairs = pairs_[slot / 2];
        (slot % 2 == 0 ? pairs.plus : pairs.minus) = position[low(slot)];
      }
      pattern_.row_start.push_back(pattern_.column.size());
    }
  }

 private:
  /// Slot 2c is the first pair of comparison c, slot 2c+1 the second.
  [[nodiscard]] std::uint32_t high(std::size_t slot) const {
    const Comparison& c = comparisons_[slot / 2];
    return slot % 2 == 0 ? std::max(c.i, c.j) : std::max(c.r, c.s);
  }
  [[nodiscard]] std::uint32_t low(std::size_t slot) const {
    const Comparison& c = comparisons_[slot / 2];
    return slot % 2 == 0 ? std::min(c.i, c.j) : std::min(c.r, c.s);
  }

  const std::vector<Comparison>& comparisons_;
  std::vector<ComparedPairs>& pairs_;
  IntegerTriangle& pattern_;
  std::size_t rows_;
  std::vector<std::size_t> slot_start_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace

ComparisonList list_comparisons(const std::vector<Answer>& answers,
                                const std::vector<std::uint32_t>& row_of, std::size_t rows) {
  // Their numbers and those of their comparisons have 32 bits.
  if (answers.size() >= most_comparisons) refuse_so_many();
  const std::vector<std::uint32_t> order = in_order_of_rows(answers, row_of, rows);
  ComparisonList list;
  list.left_out = answers.size() - order.size();
  list.start.reserve(order.size() + 1);
  list.comparisons.reserve(order.size());
  list.question.reserve(order.size());
  list.weight.reserve(order.size());
  list.participant.reserve(order.size());
  list.start.push_back(0);
  bool fractions = false;
  for (std::size_t at = 0; at < order.size(); ++at) {
    // They lie all over the memory: half of the time would be waiting.
    if (at + answers_ahead < order.size()) __builtin_prefetch(&answers[order[at + answers_ahead]]);
    const Answer& answer = answers[order[at]];
    Answer by_row = answer;
    for (ItemId& item : std::span(by_row.items).first(items_in(answer.kind))) item = row_of[item];
    const bool quadruplet = answer.kind == QuestionKind::quadruplet;
    if (list.answers() > 0 && quadruplet != list.quadruplets) {
      throw InputError({{},
                        "triplets and quadruplets together",
                        "either triplets or quadruplets in one run",
                        "Run them one after the other"});
    }
    list.quadruplets = quadruplet;
    add_comparisons(by_row, list.comparisons);
    if (list.comparisons.size() >= most_comparisons) refuse_so_many();
    list.start.push_back(static_cast<std::uint32_t>(list.comparisons.size()));
    list.question.push_back(hash(question_of(by_row).question));
    list.weight.push_back(answer.weight);
    list.participant.push_back(answer.participant);
    fractions = fractions || answer.weight % weight_one != 0;
  }
  IntegerTriangle& pattern = list.pattern;
  pattern.denominator = fractions ? weight_one : 1;
  if (!fractions) {
    for (Weight& weight : list.weight) weight /= weight_one;
  }
  const auto all = [](const auto& values, auto value) {
    return std::all_of(values.begin(), values.end(), [&](auto v) { return v == value; });
  };
  if (!fractions && all(list.weight, Weight{1})) list.weight = {};
  if (all(list.participant, ParticipantId{0})) list.participant = {};
  PairFinder(list, rows).fill();
  add_up(list, std::vector<std::int32_t>(list.answers(), 1), pattern.value);
  return list;
}

void add_up(const ComparisonList& list, const std::vector<std::int32_t>& factor,
            std::vector<std::int64_t>& sums) {
  sums.assign(list.pattern.column.size(), 0);
  // Answers that count 0 times are added like all others: a branch would often be guessed wrong.
  for (std::size_t answer = 0; answer < list.answers(); ++answer) {
    const std::int64_t weight = factor[answer] * list.weight_of(answer);
    for (const ComparedPairs& pairs : list.pairs_of(answer)) {
      sums[pairs.plus] += weight;
      sums[pairs.minus] -= weight;
    }
  }
}

}  // namespace tertium
