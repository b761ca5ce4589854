#pragma once

#include <Eigen/Core>

namespace tertium {

/// A feasible point near `x`, which must be PSD with X1 = 1 but may have negative entries: mixed
/// with aI + (1-a) 11'/n, a = (tr x - 1)/(n - 1), which has the same trace and positive entries,
/// just as much as makes every entry nonnegative.
Eigen::MatrixXd make_feasible(const Eigen::MatrixXd& x);

}  // namespace tertium
