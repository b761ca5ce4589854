#include "tertium/core/exact_sums.hpp"

#include <algorithm>

namespace tertium::internal {

bool sums_fit(const IntegerTriangle& triangle) {
  __extension__ using Wide = __int128;
  Wide positive = 0;
  Wide negative = 0;
  for (const std::int64_t value : triangle.value) (value > 0 ? positive : negative) += value;
  return 2 * std::max(positive, -negative) <= std::numeric_limits<std::int64_t>::max();
}

}  // namespace tertium::internal
