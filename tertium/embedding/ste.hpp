#pragma once

#include <algorithm>
#include <cmath>

#include "tertium/embedding/slopes.hpp"

namespace tertium::internal {

/// Stochastic triplet embedding (van der Maaten and Weinberger 2012):
///   -ln p,  p = exp(-near) / (exp(-near) + exp(-far)),
/// the log-loss of near - far.
struct Ste {
  static Ste in_dimensions(int /*dimensions*/) { return {}; }

  [[nodiscard]] Slopes at(double near, double far) const {
    const double difference = near - far;
    // ln(1 + exp(x)) without overflow.
    const double value = std::max(difference, 0.0) + std::log1p(std::exp(-std::abs(difference)));
    const double wrong = 1 / (1 + std::exp(-difference));  // 1 - p
    return {value, wrong, -wrong};
  }
};

}  // namespace tertium::internal
