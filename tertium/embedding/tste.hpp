#pragma once

#include <algorithm>
#include <cmath>

#include "tertium/embedding/slopes.hpp"

namespace tertium::internal {

/// t-distributed stochastic triplet embedding (van der Maaten and Weinberger 2012):
///   -ln p,  p = K(near) / (K(near) + K(far)),  K(x) = (1 + x / a)^(-(a + 1) / 2)
/// with a = max(d - 1, 1) degrees of freedom in d dimensions. Triplets that are far from right cost
/// only the logarithm of how far.
class Tste {
 public:
  static Tste in_dimensions(int dimensions) { return Tste(std::max(dimensions - 1, 1)); }

  explicit Tste(double freedom) : freedom_(freedom), power_((freedom + 1) / 2) {}

  [[nodiscard]] double freedom() const { return freedom_; }

  [[nodiscard]] Slopes at(double near, double far) const {
    // K(far) / K(near) = ((a + near) / (a + far))^power.
    const double ratio = power_ == 1 ? (freedom_ + near) / (freedom_ + far)
                                     : std::pow((freedom_ + near) / (freedom_ + far), power_);
    const double wrong = power_ * (ratio / (1 + ratio));  // power (1 - p)
    return {std::log1p(ratio), wrong / (freedom_ + near), -wrong / (freedom_ + far)};
  }

 private:
  double freedom_;
  double power_;
};

}  // namespace tertium::internal
