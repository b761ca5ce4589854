#pragma once

namespace tertium::internal {

/// What one comparison costs, and how that changes with the squared distance of the pair that is
/// more alike (near) and of the other one (far).
///
/// A loss is a class with `Slopes at(double near, double far) const` for squared distances, and
/// `static Loss in_dimensions(int)`.
struct Slopes {
  double value = 0;
  double near = 0;  // d value / d near
  double far = 0;   // d value / d far
};

}  // namespace tertium::internal
