#include "tertium/similarity/mulk3b.hpp"

#include "tertium/answers/weighted_comparisons.hpp"
#include "tertium/similarity/feature_table.hpp"
#include "tertium/similarity/normalised_products.hpp"

namespace tertium::internal {

IntegerTriangle build_mulk3b(const ComparisonList& list, std::span<const AnswerFactor> factor,
                             Run& run) {
  const auto emit = [&](const auto& visit) {
    for_each_weighted(list, factor,
                      [&](const Comparison& c, const ComparedPairs&, std::int64_t weight) {
                        visit(c.i, c.s, c.j, weight);
                        visit(c.i, c.j, c.s, -weight);
                      });
  };
  return normalised_products(FeatureTable(list.items(), emit, run), run);
}

}  // namespace tertium::internal
