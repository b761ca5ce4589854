#pragma once

#include <limits>

/// What bounds on rounding errors are made of.
namespace tertium::internal::verifying {

/// The distance from 1 to the next number in double precision: twice the relative error of one
/// operation.
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// 2^-53: the relative error of one operation.
inline constexpr double unit_roundoff = epsilon / 2;
inline constexpr double infinite = std::numeric_limits<double>::infinity();
/// Bounds on errors are themselves computed with rounding, far below one percent.
inline constexpr double outward = 1.01;

}  // namespace tertium::internal::verifying
