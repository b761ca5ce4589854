#include "tertium/similarity/binary_units.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr int most_halvings = 62;  // of a denominator of 64 bits

}  // namespace

IntegerTriangle in_binary_units(std::vector<std::uint64_t> row_start,
                                std::vector<std::uint32_t> column,
                                const std::vector<double>& value) {
  double largest = 0;
  double sum = 0;
  for (const double v : value) {
    largest = std::max(largest, std::abs(v));
    sum += std::abs(v);
  }
  int halvings = most_halvings;
  // Twice the sum below 2^61: rounding adds at most a half for each of fewer than 2^61 values.
  while (halvings >= 0 && !(2 * std::ldexp(sum, halvings) < 0x1p61)) --halvings;
  if (halvings < 0) {
    throw InputError({{},
                      fmt::format("similarities of up to {:.4g}", largest),
                      "values whose sums fit in 64 bits",
                      "Divide all weights by the same number"});
  }
  while (halvings > 0 && !(std::ldexp(largest, halvings) < 0x1p31 - 1)) --halvings;
  IntegerTriangle triangle;
  triangle.row_start = std::move(row_start);
  triangle.column = std::move(column);
  triangle.denominator = std::int64_t{1} << static_cast<unsigned>(halvings);
  triangle.value.reserve(value.size());
  for (const double v : value) triangle.value.push_back(std::llround(std::ldexp(v, halvings)));
  return triangle;
}

}  // namespace tertium::internal
