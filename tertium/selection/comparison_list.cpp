#include "tertium/selection/comparison_list.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "tertium/comparisons/question.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/random.hpp"

namespace tertium {
namespace {

/// Positions of pairs and of comparisons have 32 bits, and there are up to two pairs in each.
constexpr std::size_t most_comparisons = std::size_t{1} << 31U;

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

/// Finds the pairs of all comparisons, row by row of the lower triangle, and tells the comparisons
/// where theirs are.
class PairFinder {
 public:
  PairFinder(std::vector<Comparison>& comparisons, SimilarityMatrix& pattern)
      : comparisons_(comparisons), pattern_(pattern), slot_start_(pattern.size() + 1, 0) {
    for (std::size_t slot = 0; slot < 2 * comparisons.size(); ++slot) {
      ++slot_start_[high(slot) + 1];
    }
    std::partial_sum(slot_start_.begin(), slot_start_.end(), slot_start_.begin());
    slots_.resize(2 * comparisons.size());
    std::vector<std::size_t> next(slot_start_.begin(), slot_start_.end() - 1);
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      slots_[next[high(slot)]++] = static_cast<std::uint32_t>(slot);
    }
  }

  void fill() {
    pattern_.row_start.assign(1, 0);
    std::vector<std::uint32_t> position(pattern_.size());
    for (std::size_t row = 0; row < pattern_.size(); ++row) {
      const auto slots =
          std::span(slots_).subspan(slot_start_[row], slot_start_[row + 1] - slot_start_[row]);
      std::vector<std::uint32_t> columns;
      for (const std::uint32_t slot : slots) columns.push_back(low(slot));
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
      for (const std::uint32_t column : columns) {
        position[column] = static_cast<std::uint32_t>(pattern_.column.size());
        pattern_.column.push_back(column);
      }
      for (const std::uint32_t slot : slots) {
        Comparison& comparison = comparisons_[slot / 2];
        (slot % 2 == 0 ? comparison.plus : comparison.minus) = position[low(slot)];
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

  std::vector<Comparison>& comparisons_;
  SimilarityMatrix& pattern_;
  std::vector<std::size_t> slot_start_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace

ComparisonList list_comparisons(const std::vector<Answer>& answers,
                                const std::vector<std::uint32_t>& row_of, std::size_t rows) {
  ComparisonList list;
  list.start.push_back(0);
  bool fractions = false;
  for (const Answer& answer : answers) {
    Answer by_row = answer;
    const auto shown = std::span(by_row.items).first(items_in(answer.kind));
    for (ItemId& item : shown) item = row_of[item];
    if (std::find(shown.begin(), shown.end(), no_row) != shown.end()) {
      ++list.left_out;
      continue;
    }
    const bool quadruplet = answer.kind == QuestionKind::quadruplet;
    if (list.answers() > 0 && quadruplet != list.quadruplets) {
      throw InputError({{},
                        "triplets and quadruplets together",
                        "either triplets or quadruplets in one run",
                        "Run them one after the other"});
    }
    list.quadruplets = quadruplet;
    add_comparisons(by_row, list.comparisons);
    if (list.comparisons.size() >= most_comparisons) {
      throw InputError({{}, "2^31 comparisons or more", "fewer", "Take a part of the answers"});
    }
    list.start.push_back(static_cast<std::uint32_t>(list.comparisons.size()));
    list.question.push_back(hash(question_of(by_row).question));
    list.weight.push_back(answer.weight);
    list.participant.push_back(answer.participant);
    fractions = fractions || answer.weight % weight_one != 0;
  }
  SimilarityMatrix& pattern = list.pattern;
  pattern.kind = list.quadruplets ? SimilarityKind::adds4 : SimilarityKind::adds3;
  pattern.denominator = fractions ? weight_one : 1;
  pattern.items.resize(rows);
  if (!fractions) {
    for (Weight& weight : list.weight) weight /= weight_one;
  }
  const auto all = [](const auto& values, auto value) {
    return std::all_of(values.begin(), values.end(), [&](auto v) { return v == value; });
  };
  if (!fractions && all(list.weight, Weight{1})) list.weight = {};
  if (all(list.participant, ParticipantId{0})) list.participant = {};
  PairFinder(list.comparisons, pattern).fill();
  add_up(list, std::vector<std::int32_t>(list.answers(), 1), pattern.value);
  pattern.comparisons = list.comparisons.size();
  return list;
}

void add_up(const ComparisonList& list, const std::vector<std::int32_t>& factor,
            std::vector<std::int64_t>& sums) {
  sums.assign(list.pattern.column.size(), 0);
  for (std::size_t answer = 0; answer < list.answers(); ++answer) {
    if (factor[answer] == 0) continue;
    const std::int64_t weight = factor[answer] * list.weight_of(answer);
    for (const Comparison& comparison : list.of(answer)) {
      sums[comparison.plus] += weight;
      sums[comparison.minus] -= weight;
    }
  }
}

}  // namespace tertium
