#pragma once

#include <cmath>

#include "tertium/embedding/slopes.hpp"

namespace tertium::internal {

/// Crowd kernel learning (Tamuz et al. 2011):
///   -ln p,  p = (m + far) / (2 m + near + far),
/// where m > 0 keeps close pairs from being certain. m = 1 is t-STE with one degree of freedom.
struct Ckl {
  static Ckl in_dimensions(int /*dimensions*/) { return {}; }

  double floor = 0.05;  // m

  [[nodiscard]] Slopes at(double near, double far) const {
    const double all = 2 * floor + near + far;
    return {std::log(all / (floor + far)), 1 / all, 1 / all - 1 / (floor + far)};
  }
};

}  // namespace tertium::internal
