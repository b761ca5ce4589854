#include "tertium/similarity/additive.hpp"

namespace tertium::internal {

IntegerTriangle build_additive(const ComparisonList& list, std::span<const AnswerFactor> factor,
                               Run& /*run*/) {
  IntegerTriangle sums = list.pattern;
  if (!factor.empty()) add_up(list, factor, sums.value);
  return sums;
}

}  // namespace tertium::internal
