#include "tertium/similarity/mulk3.hpp"

#include "tertium/answers/weighted_comparisons.hpp"
#include "tertium/similarity/feature_table.hpp"
#include "tertium/similarity/normalised_products.hpp"

namespace tertium::internal {

IntegerTriangle build_mulk3(const ComparisonList& list, std::span<const AnswerFactor> factor,
                            Run& run) {
  const auto emit = [&](const auto& visit) {
    for_each_weighted(list, factor,
                      [&](const Comparison& c, const ComparedPairs&, std::int64_t weight) {
                        if (c.j < c.s) {
                          visit(c.j, c.s, c.i, weight);
                        } else {
                          visit(c.s, c.j, c.i, -weight);
                        }
                      });
  };
  return normalised_products(FeatureTable(list.items(), emit, run), run);
}

}  // namespace tertium::internal
