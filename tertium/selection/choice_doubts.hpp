#pragma once

#include <string>
#include <vector>

#include "tertium/selection/heldout.hpp"
#include "tertium/selection/spur.hpp"

namespace tertium::internal {

/// A number of clusters whose theta is so near to the largest could have been the choice with a few
/// other answers. Ten times what solves are accurate to (theta_tie).
inline constexpr double close_theta = 0.01;

/// Why SPUR's number of clusters should not be taken for a fact, one sentence each: theta is
/// largest at the upper end of a range that SPUR found itself; other numbers have nearly the same
/// theta; held-out answers (if there are any, else null) speak for another number.
std::vector<std::string> doubts_about_choice(const SpurResult& spur, const HeldoutCurve* heldout);

}  // namespace tertium::internal
