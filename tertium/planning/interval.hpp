#pragma once

#include "tertium/plan.hpp"

namespace tertium::internal {

inline constexpr double interval_z = 1.959963984540054;  // 95 % of a normal distribution

/// Wilson's interval for a probability that was met in a share of `count` independent cases, also
/// sound near 0 and 1. `count` > 0 need not be whole: an effective number of cases.
Interval wilson_interval(double share, double count);

}  // namespace tertium::internal
