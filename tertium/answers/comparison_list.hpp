#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/answer_columns.hpp"
#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// "i and j are more alike than r and s", items by their row. In a triplet i = r is the anchor.
struct Comparison {
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  std::uint32_t r = 0;
  std::uint32_t s = 0;
};

/// The one or two comparisons of an answer.
struct Comparisons {
  std::array<Comparison, 2> given;
  std::size_t count = 0;

  [[nodiscard]] std::size_t size() const { return count; }
  [[nodiscard]] Comparison operator[](std::size_t c) const { return given[c]; }
  [[nodiscard]] const Comparison* begin() const { return given.data(); }
  [[nodiscard]] const Comparison* end() const { return given.data() + count; }
};

inline Comparisons comparisons_of(QuestionKind kind, std::span<const ItemId> items) {
  if (kind == QuestionKind::quadruplet) return {{{{items[0], items[1], items[2], items[3]}}}, 1};
  const auto [triplets, count] = triplets_of(kind, items);
  const auto& [first, second] = triplets;
  return {
      {{{first[0], first[1], first[0], first[2]}, {second[0], second[1], second[0], second[2]}}},
      count};
}

/// The pairs of a comparison by their position in `value` of the pattern: all that sums need.
struct ComparedPairs {
  std::uint32_t plus = 0;   // (i, j)
  std::uint32_t minus = 0;  // (r, s)
};

/// How many times an answer counts: 0 leaves it out, -1 turns it round. A byte, as every thread
/// that resamples has one for every answer.
using AnswerFactor = std::int8_t;

/// Answers in the form in which they can be weighted anew, turned round or held out again and
/// again, each time with one pass that gives the similarity of the rest.
///
/// What belongs to one answer stays together: odd-one-out and most-central answers have two
/// comparisons, all others one. Repeated questions are kept as they were given. Answers are in the
/// order of their first item, so that a pass stays near one row of S, and then as they were given.
///
/// Memory: that of the AnswerColumns, and 8 bytes per comparison (20 bytes in all for a triplet);
/// 12 bytes per pair of items that some comparison shows.
struct ComparisonList {
  AnswerColumns given;               // rows for items
  std::vector<ComparedPairs> pairs;  // of all comparisons, answer by answer
  std::vector<std::uint32_t> start;  // of every answer in `pairs`, and the end; empty: all answers
                                     // have as many comparisons
  std::uint64_t left_out = 0;        // answers about items without a row

  /// All pairs that are compared, and the sums over them: +1 for the pair that is more alike, -1
  /// for the other one. Entries may be zero.
  IntegerTriangle pattern;

  [[nodiscard]] std::size_t answers() const { return given.size(); }
  [[nodiscard]] std::size_t comparisons() const { return pairs.size(); }
  [[nodiscard]] std::size_t items() const { return pattern.size(); }
  [[nodiscard]] bool quadruplets() const { return given.quadruplets(); }

  [[nodiscard]] Comparisons of(std::size_t answer) const {
    return comparisons_of(given.kind_of(answer), given.items_of(answer));
  }
  /// Calls visit(answer, comparison) for all comparisons, answer by answer.
  template <class Visit>
  void for_each_comparison(const Visit& visit) const {
    for_each_comparison(0, answers(), visit);
  }
  /// The same for answers [from, to).
  template <class Visit>
  void for_each_comparison(std::size_t from, std::size_t to, const Visit& visit) const {
    const auto visit_all = [&](const auto& kind_of) {
      for (std::size_t answer = from; answer < to; ++answer) {
        for (const Comparison& c : comparisons_of(kind_of(answer), given.items_of(answer))) {
          visit(answer, c);
        }
      }
    };
    // The usual kind is known to the compiler.
    if (given.of_one_kind() && given.kind_of(0) == QuestionKind::triplet) {
      visit_all([](std::size_t) { return QuestionKind::triplet; });
    } else {
      visit_all([&](std::size_t answer) { return given.kind_of(answer); });
    }
  }
  /// The number of an answer's first comparison.
  [[nodiscard]] std::size_t start_of(std::size_t answer) const {
    return start.empty() ? answer * comparisons_in(given.kind_of(0)) : start[answer];
  }
  [[nodiscard]] std::span<const ComparedPairs> pairs_of(std::size_t answer) const {
    const std::size_t first = start_of(answer);
    return std::span(pairs).subspan(first, start_of(answer + 1) - first);
  }
  /// In units of 1 / denominator of the pattern.
  [[nodiscard]] Weight weight_of(std::size_t answer) const {
    if (given.of_weight_one()) return 1;
    const Weight millionths = given.weight_of(answer);
    return pattern.denominator == 1 ? millionths / weight_one : millionths;
  }
  /// 0 where nobody is named.
  [[nodiscard]] ParticipantId participant_of(std::size_t answer) const {
    return given.participant_of(answer);
  }
  /// The same number for all answers that follow from one response, and for no others.
  [[nodiscard]] std::uint32_t screen_of(std::size_t answer) const {
    return given.screen_of(answer);
  }
  /// A hash of what was asked, not of the choice.
  [[nodiscard]] std::uint64_t question_hash(std::size_t answer) const;
};

/// The list of the answers in all parts, which have rows 0 .. rows-1 for items. `sums` are the sums
/// over pairs if they are known, with zeros left out. Throws InputError if triplets and quadruplets
/// are mixed, or for 2^31 comparisons. Cost: some passes; 12 bytes per triplet more while the parts
/// are used up.
ComparisonList list_comparisons(std::vector<AnswerColumns> parts, std::size_t rows,
                                const IntegerTriangle* sums, Run& run);

/// The list of these answers, each on a screen of its own. `row_of` maps the ids of their items to
/// rows 0 .. rows-1, or to no_row. Nothing depends on the ids, only on the rows and on the order of
/// the answers.
ComparisonList list_comparisons(const std::vector<Answer>& answers,
                                const std::vector<std::uint32_t>& row_of, std::size_t rows);

/// The list of those answers whose items all have a row in `row_of`, which increase.
ComparisonList with_rows(const ComparisonList& list, const std::vector<std::uint32_t>& row_of,
                         std::size_t rows, Run& run);

/// The sums, for the entries of the pattern, when answer t counts `factor[t]` times its weight:
/// what SparseMap::set_values takes.
void add_up(const ComparisonList& list, std::span<const AnswerFactor> factor,
            std::vector<std::int64_t>& sums);

}  // namespace tertium::internal
