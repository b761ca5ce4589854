#include "tertium/planning/interval.hpp"

#include <algorithm>
#include <cmath>

namespace tertium::internal {

Interval wilson_interval(double share, double count) {
  const double z2 = interval_z * interval_z;
  const double middle = (share + z2 / (2 * count)) / (1 + z2 / count);
  const double half = interval_z / (1 + z2 / count) *
                      std::sqrt(share * (1 - share) / count + z2 / (4 * count * count));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

}  // namespace tertium::internal
