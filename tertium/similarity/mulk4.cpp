#include "tertium/similarity/mulk4.hpp"

#include <limits>

#include "tertium/answers/weighted_comparisons.hpp"
#include "tertium/similarity/binary_units.hpp"
#include "tertium/similarity/feature_table.hpp"

namespace tertium::internal {
namespace {

/// Products of weights in units of 1/denominator^2, as they are or else rounded.
template <class Integer>
IntegerTriangle in_weights_squared(FeatureProducts<Integer> products, std::int64_t denominator) {
  WideInteger size = 0;
  for (const Integer value : products.value) size += value < 0 ? -value : value;
  if (2 * size <= std::numeric_limits<std::int64_t>::max()) {
    IntegerTriangle exact;
    exact.row_start = std::move(products.row_start);
    exact.column = std::move(products.column);
    exact.value.assign(products.value.begin(), products.value.end());
    exact.denominator = denominator * denominator;
    return exact;
  }
  std::vector<double> value;
  const auto unit = static_cast<double>(denominator) * static_cast<double>(denominator);
  for (const Integer v : products.value) value.push_back(static_cast<double>(v) / unit);
  return in_binary_units(std::move(products.row_start), std::move(products.column), value);
}

}  // namespace

IntegerTriangle build_mulk4(const ComparisonList& list, std::span<const AnswerFactor> factor,
                            Run& run) {
  const auto emit = [&](const auto& visit) {
    for_each_weighted(list, factor,
                      [&](const Comparison& c, const ComparedPairs& pairs, std::int64_t weight) {
                        visit(c.j, pairs.minus, c.i, weight);
                        visit(c.i, pairs.minus, c.j, weight);
                        visit(c.s, pairs.plus, c.r, -weight);
                        visit(c.r, pairs.plus, c.s, -weight);
                      });
  };
  const FeatureTable table(list.items(), emit, run);
  return with_products(table, run, [&](auto products) {
    return in_weights_squared(std::move(products), list.pattern.denominator);
  });
}

}  // namespace tertium::internal
