#pragma once

#include <cmath>

#include "tertium/embedding/slopes.hpp"

namespace tertium::internal {

/// Soft ordinal embedding (Terada and von Luxburg 2014): the squared hinge of distances,
///   max(0, 1 + sqrt(near) - sqrt(far))^2.
struct Soe {
  static Soe in_dimensions(int /*dimensions*/) { return {}; }

  [[nodiscard]] Slopes at(double near, double far) const {
    const double to_near = std::sqrt(near);
    const double to_far = std::sqrt(far);
    const double short_of = 1 + to_near - to_far;
    if (short_of <= 0) return {};
    // A distance has no slope at 0; points that coincide are not moved by it.
    const double near_slope = to_near > 0 ? short_of / to_near : 0;
    const double far_slope = to_far > 0 ? -short_of / to_far : 0;
    return {short_of * short_of, near_slope, far_slope};
  }
};

}  // namespace tertium::internal
