#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "tertium/answers/comparison_list.hpp"

namespace tertium::internal {

/// Calls visit(comparison, pairs, weight) for every comparison of the list that counts, when answer
/// t counts `factor[t]` times its weight (an empty `factor`: once). What counts less than 0 times
/// is visited as the opposite comparison, so that all weights are above 0.
template <class Visit>
void for_each_weighted(const ComparisonList& list, std::span<const AnswerFactor> factor,
                       const Visit& visit) {
  std::size_t next = 0;
  list.for_each_comparison([&](std::size_t answer, Comparison c) {
    ComparedPairs pairs = list.pairs[next++];
    const std::int64_t times = factor.empty() ? 1 : factor[answer];
    if (times == 0) return;
    if (times < 0) {
      std::swap(c.i, c.r);
      std::swap(c.j, c.s);
      std::swap(pairs.plus, pairs.minus);
    }
    const std::int64_t weight = (times < 0 ? -times : times) * list.weight_of(answer);
    if (weight > 0) visit(c, pairs, weight);
  });
}

}  // namespace tertium::internal
