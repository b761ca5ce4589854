#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tertium/answers/answer.hpp"
#include "tertium/core/integer_triangle.hpp"

namespace tertium {

/// "i and j are more alike than r and s", items by their row. In a triplet i = r is the anchor.
struct Comparison {
  std::uint32_t i = 0;
  std::uint32_t j = 0;
  std::uint32_t r = 0;
  std::uint32_t s = 0;
};

/// The pairs of a comparison by their position in `value` of the pattern: all that sums need.
struct ComparedPairs {
  std::uint32_t plus = 0;   // (i, j)
  std::uint32_t minus = 0;  // (r, s)
};

/// Answers in the form in which they can be weighted anew, turned round or held out again and
/// again, each time with one pass that gives the similarity of the rest.
///
/// What belongs to one answer stays together: odd-one-out and most-central answers have two
/// comparisons, all others one. Repeated questions are kept as they were given. Answers are in the
/// order of their first item, so that a pass stays near one row of S, and then as they were given.
///
/// Memory: per answer 36 bytes and 24 per further comparison (12 more with weights and
/// participants); 20 bytes per pair of items that some comparison shows.
struct ComparisonList {
  bool quadruplets = false;
  std::vector<Comparison> comparisons;
  std::vector<ComparedPairs> pairs;     // of the comparison at the same place
  std::vector<std::uint32_t> start;     // of every answer in `comparisons`, and the end
  std::vector<std::uint64_t> question;  // per answer: a hash of what was asked, not of the choice
  std::vector<Weight> weight;           // per answer, in units of 1 / denominator; empty: all 1
  std::vector<ParticipantId> participant;  // per answer, 0 where not named; empty: none named
  std::uint64_t left_out = 0;              // answers about items without a row

  /// All pairs that are compared, and the sums over them: +1 for the pair that is more alike, -1
  /// for the other one. Entries may be zero.
  IntegerTriangle pattern;

  [[nodiscard]] std::size_t answers() const { return question.size(); }
  [[nodiscard]] std::size_t items() const { return pattern.size(); }
  [[nodiscard]] std::span<const Comparison> of(std::size_t answer) const {
    return std::span(comparisons).subspan(start[answer], start[answer + 1] - start[answer]);
  }
  [[nodiscard]] std::span<const ComparedPairs> pairs_of(std::size_t answer) const {
    return std::span(pairs).subspan(start[answer], start[answer + 1] - start[answer]);
  }
  [[nodiscard]] Weight weight_of(std::size_t answer) const {
    return weight.empty() ? 1 : weight[answer];
  }
};

/// The list of these answers. `row_of` maps the ids of the reader's ItemTable to rows 0 .. rows-1,
/// or to no_row. Throws InputError if triplets and quadruplets are mixed, or for 2^31 comparisons.
/// Nothing depends on the ids, only on the rows and on the order of the answers. Cost: some passes.
ComparisonList list_comparisons(const std::vector<Answer>& answers,
                                const std::vector<std::uint32_t>& row_of, std::size_t rows);

/// The sums, for the entries of the pattern, when answer t counts `factor[t]` times its weight:
/// what SparseMap::set_values takes. 0 leaves an answer out, -1 turns it round.
void add_up(const ComparisonList& list, const std::vector<std::int32_t>& factor,
            std::vector<std::int64_t>& sums);

}  // namespace tertium
