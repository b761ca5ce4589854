#include "tertium/answers/comparison_list.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <numeric>

#include "tertium/answers/question.hpp"
#include "tertium/core/random.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

/// Positions of pairs and of comparisons have 32 bits, and there are up to two pairs in each.
constexpr std::size_t most_comparisons = std::size_t{1} << 31U;

/// Rows are searched for pairs in so many ranges at least, and what a range needs is gone when the
/// next begins: more of them take less memory, and each costs a look at all answers.
constexpr int least_ranges = 8;

void check_count(const std::vector<AnswerColumns>& parts) {
  std::size_t count = 0;
  for (const AnswerColumns& part : parts) {
    for (std::size_t t = 0; t < part.size(); ++t) count += comparisons_in(part.kind_of(t));
  }
  if (count < most_comparisons) return;
  throw InputError({{}, "2^31 comparisons or more", "fewer", "Take a part of the answers"});
}

/// Finds the pairs of all comparisons, row by row of the lower triangle, and tells the comparisons
/// where theirs are.
class PairFinder {
 public:
  PairFinder(ComparisonList& list, std::size_t rows, Run& run)
      : list_(list), rows_(rows), run_(run), slot_start_(rows + 1, 0) {
    for_each_pair([&](std::size_t, std::uint32_t high, std::uint32_t) { ++slot_start_[high + 1]; });
    std::partial_sum(slot_start_.begin(), slot_start_.end(), slot_start_.begin());
  }

  void find() {
    IntegerTriangle& pattern = list_.pattern;
    pattern.row_start.assign(rows_ + 1, 0);
    const std::vector<std::size_t> cut = cut_rows(std::max(least_ranges, run_.threads()));
    std::vector<std::vector<std::uint32_t>> columns(cut.size() - 1);
    std::atomic<std::size_t> next = 0;
    run_.workers(run_.threads(), [&](int) {
      for (std::size_t r = next++; r < columns.size(); r = next++) {
        columns[r] = search(cut[r], cut[r + 1]);
      }
    });
    std::partial_sum(pattern.row_start.begin(), pattern.row_start.end(), pattern.row_start.begin());
    pattern.column.reserve(pattern.row_start.back());
    for (auto& of_range : columns) {
      pattern.column.insert(pattern.column.end(), of_range.begin(), of_range.end());
      of_range = {};
    }
    for_each_pair([&](std::size_t slot, std::uint32_t high, std::uint32_t) {
      position(slot) += static_cast<std::uint32_t>(pattern.row_start[high]);
    });
  }

 private:
  /// One of the two pairs of a comparison, in the row of its larger item: slot 2c is the first pair
  /// of comparison c, slot 2c+1 the second.
  struct Slot {
    std::uint32_t slot;
    std::uint32_t low;
  };

  template <class Visit>
  void for_each_pair(const Visit& visit) const {
    std::size_t slot = 0;
    list_.for_each_comparison([&](std::size_t, const Comparison& c) {
      visit(slot++, std::max(c.i, c.j), std::min(c.i, c.j));
      visit(slot++, std::max(c.r, c.s), std::min(c.r, c.s));
    });
  }

  std::uint32_t& position(std::size_t slot) {
    ComparedPairs& pairs = list_.pairs[slot / 2];
    return slot % 2 == 0 ? pairs.plus : pairs.minus;
  }

  /// Ends of ranges of rows with about as many pairs each.
  [[nodiscard]] std::vector<std::size_t> cut_rows(int ranges) const {
    std::vector<std::size_t> cut = {0};
    for (std::size_t r = 1; r < static_cast<std::size_t>(ranges); ++r) {
      const std::size_t wanted = slot_start_.back() * r / static_cast<std::size_t>(ranges);
      const auto row = std::lower_bound(slot_start_.begin(), slot_start_.end() - 1, wanted);
      cut.push_back(static_cast<std::size_t>(row - slot_start_.begin()));
    }
    cut.push_back(rows_);
    return cut;
  }

  /// The columns of rows from .. to-1; their number goes to row_start, and the places of pairs
  /// within their rows to `pairs`.
  std::vector<std::uint32_t> search(std::size_t from, std::size_t to) {
    const std::vector<Slot> slots = slots_in(from, to);
    std::vector<std::uint32_t> found;
    std::vector<std::uint32_t> place(rows_, no_row);
    for (std::size_t row = from; row < to; ++row) {
      const auto here = std::span(slots).subspan(slot_start_[row] - slot_start_[from],
                                                 slot_start_[row + 1] - slot_start_[row]);
      const std::size_t first = found.size();
      for (const auto& [slot, low] : here) {
        if (place[low] == no_row) found.push_back(low);
        place[low] = 0;
      }
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
      for (std::size_t at = first; at < found.size(); ++at) {
        place[found[at]] = static_cast<std::uint32_t>(at - first);
      }
      for (const auto& [slot, low] : here) position(slot) = place[low];
      for (std::size_t at = first; at < found.size(); ++at) place[found[at]] = no_row;
      list_.pattern.row_start[row + 1] = found.size() - first;
    }
    return found;
  }

  [[nodiscard]] std::vector<Slot> slots_in(std::size_t from, std::size_t to) const {
    std::vector<Slot> slots(slot_start_[to] - slot_start_[from]);
    std::vector<std::size_t> next(slot_start_.begin() + static_cast<std::ptrdiff_t>(from),
                                  slot_start_.begin() + static_cast<std::ptrdiff_t>(to));
    for_each_pair([&](std::size_t slot, std::uint32_t high, std::uint32_t low) {
      if (high < from || high >= to) return;
      slots[next[high - from]++ - slot_start_[from]] = {static_cast<std::uint32_t>(slot), low};
    });
    return slots;
  }

  ComparisonList& list_;
  std::size_t rows_;
  Run& run_;
  std::vector<std::size_t> slot_start_;
};

/// The same by a table with a place for every possible pair, where it takes no more than eight
/// bytes for a comparison: then answers are gone through twice, by all threads, and nothing is
/// sorted.
class PairTable {
 public:
  PairTable(ComparisonList& list, std::size_t rows, Run& run)
      : list_(list), rows_(rows), run_(run) {}

  static bool is_small(std::size_t rows, std::size_t comparisons) {
    return rows * (rows - std::min<std::size_t>(rows, 1)) / 2 <= 2 * comparisons;
  }

  void find() {
    place_.assign(rows_ * (rows_ - std::min<std::size_t>(rows_, 1)) / 2, 0);
    for_each_comparison([&](std::size_t, const Comparison& c) {
      mark(c.i, c.j);
      mark(c.r, c.s);
    });
    number_pairs();
    for_each_comparison([&](std::size_t number, const Comparison& c) {
      list_.pairs[number] = {place_[cell(c.i, c.j)], place_[cell(c.r, c.s)]};
    });
  }

 private:
  static std::size_t cell(std::uint32_t i, std::uint32_t j) {
    const std::size_t high = std::max(i, j);
    return high * (high - 1) / 2 + std::min(i, j);
  }

  void mark(std::uint32_t i, std::uint32_t j) {
    // All threads write the same.
    std::atomic_ref(place_[cell(i, j)]).store(1, std::memory_order_relaxed);
  }

  /// Lists the marked pairs, and puts their positions in place of the marks.
  void number_pairs() {
    IntegerTriangle& pattern = list_.pattern;
    pattern.row_start.assign(rows_ + 1, 0);
    pattern.column.reserve(std::accumulate(place_.begin(), place_.end(), std::size_t{0}));
    std::size_t at = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t low = 0; low < row; ++low, ++at) {
        if (place_[at] == 0) continue;
        place_[at] = static_cast<std::uint32_t>(pattern.column.size());
        pattern.column.push_back(static_cast<std::uint32_t>(low));
      }
      pattern.row_start[row + 1] = pattern.column.size();
    }
  }

  /// Calls visit(number of the comparison, comparison) for all, some milliseconds of work at once.
  template <class Visit>
  void for_each_comparison(const Visit& visit) {
    constexpr std::size_t answers_at_once = std::size_t{1} << 16U;
    std::atomic<std::size_t> next = 0;
    run_.workers(list_.answers() > answers_at_once ? run_.threads() : 1, [&](int) {
      for (std::size_t from = next.fetch_add(answers_at_once); from < list_.answers();
           from = next.fetch_add(answers_at_once)) {
        const std::size_t to = std::min(from + answers_at_once, list_.answers());
        std::size_t number = list_.start_of(from);
        list_.for_each_comparison(from, to,
                                  [&](std::size_t, const Comparison& c) { visit(number++, c); });
      }
    });
  }

  ComparisonList& list_;
  std::size_t rows_;
  Run& run_;
  std::vector<std::uint32_t> place_;  // of every pair in the pattern
};

/// Adds up with weights `factor(t)` times that of answer t. Answers that count 0 times are added
/// like all others: a branch would often be guessed wrong.
template <class Factor>
void add_up_times(const ComparisonList& list, const Factor& factor,
                  std::vector<std::int64_t>& sums) {
  sums.assign(list.pattern.column.size(), 0);
  const auto add = [&](const ComparedPairs& pairs, std::int64_t weight) {
    sums[pairs.plus] += weight;
    sums[pairs.minus] -= weight;
  };
  if (list.given.of_weight_one() && list.comparisons() == list.answers()) {  // the usual case
    for (std::size_t t = 0; t < list.answers(); ++t) add(list.pairs[t], factor(t));
    return;
  }
  for (std::size_t t = 0; t < list.answers(); ++t) {
    const std::int64_t weight = factor(t) * list.weight_of(t);
    for (const ComparedPairs& pairs : list.pairs_of(t)) add(pairs, weight);
  }
}

/// The known sums, and zeros for pairs that have none.
void copy_sums(const IntegerTriangle& sums, IntegerTriangle& pattern) {
  assert(sums.denominator == pattern.denominator);
  pattern.value.assign(pattern.column.size(), 0);
  for (std::size_t row = 0; row < pattern.size(); ++row) {
    std::size_t at = pattern.row_start[row];
    for (std::size_t s = sums.row_start[row]; s < sums.row_start[row + 1]; ++s) {
      while (pattern.column[at] != sums.column[s]) ++at;
      pattern.value[at] = sums.value[s];
    }
  }
}

/// Fills in everything that follows from the answers.
void complete(ComparisonList& list, std::size_t rows, const IntegerTriangle* sums, Run& run) {
  const AnswerColumns& given = list.given;
  std::size_t comparisons = 0;
  bool fractions = false;
  if (!given.of_one_kind()) list.start.reserve(given.size() + 1);
  for (std::size_t t = 0; t < given.size(); ++t) {
    if (!given.of_one_kind()) list.start.push_back(static_cast<std::uint32_t>(comparisons));
    comparisons += comparisons_in(given.kind_of(t));
    fractions = fractions || given.weight_of(t) % weight_one != 0;
  }
  if (!given.of_one_kind()) list.start.push_back(static_cast<std::uint32_t>(comparisons));
  list.pattern.denominator = fractions ? weight_one : 1;
  list.pairs.resize(comparisons);
  if (PairTable::is_small(rows, comparisons)) {
    PairTable(list, rows, run).find();
  } else {
    PairFinder(list, rows, run).find();
  }
  if (sums != nullptr) {
    copy_sums(*sums, list.pattern);
  } else {
    add_up_times(
        list, [](std::size_t) { return 1; }, list.pattern.value);
  }
}

}  // namespace

std::uint64_t ComparisonList::question_hash(std::size_t answer) const {
  const Question question = question_of(given[answer]).question;
  std::uint64_t mixed = static_cast<std::uint64_t>(question.kind);
  for (const ItemId item : question.items) mixed = Random(mixed + item).next();
  return mixed;
}

ComparisonList list_comparisons(std::vector<AnswerColumns> parts, std::size_t rows,
                                const IntegerTriangle* sums, Run& run) {
  check_count(parts);
  ComparisonList list;
  list.given = AnswerColumns::in_order_of_first_item(std::move(parts), rows);
  complete(list, rows, sums, run);
  return list;
}

ComparisonList list_comparisons(const std::vector<Answer>& answers,
                                const std::vector<std::uint32_t>& row_of, std::size_t rows) {
  std::vector<AnswerColumns> parts = {AnswerColumns(answers).with_rows(row_of)};
  Run alone({.threads = 1});
  ComparisonList list = list_comparisons(std::move(parts), rows, nullptr, alone);
  list.left_out = answers.size() - list.answers();
  return list;
}

ComparisonList with_rows(const ComparisonList& list, const std::vector<std::uint32_t>& row_of,
                         std::size_t rows, Run& run) {
  ComparisonList kept;
  kept.given = list.given.with_rows(row_of);
  kept.left_out = list.answers() - kept.answers();
  complete(kept, rows, nullptr, run);
  return kept;
}

void add_up(const ComparisonList& list, std::span<const AnswerFactor> factor,
            std::vector<std::int64_t>& sums) {
  add_up_times(
      list, [&](std::size_t answer) { return factor[answer]; }, sums);
}

}  // namespace tertium::internal
