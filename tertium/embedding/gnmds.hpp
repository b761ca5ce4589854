#pragma once

#include "tertium/embedding/slopes.hpp"

namespace tertium::internal {

/// Generalised non-metric multidimensional scaling (Agarwal et al. 2007): the hinge
///   max(0, 1 + near - far).
struct Gnmds {
  static Gnmds in_dimensions(int /*dimensions*/) { return {}; }

  [[nodiscard]] Slopes at(double near, double far) const {
    const double short_of = 1 + near - far;
    if (short_of <= 0) return {};
    return {short_of, 1, -1};
  }
};

}  // namespace tertium::internal
