#pragma once

#include <Eigen/Core>

namespace tertium::internal {

/// The tau for which clip(w - tau, 0, 1) sums to `target`, 0 <= target <= the number of values:
/// what takes eigenvalues to those of a point of SDP-k. Exact but for rounding.
double shift_for_trace(const Eigen::VectorXd& values, double target);

/// How accurate eigenpairs of one step need be, as residuals in the units of the state: the step
/// itself is not nearer to its fixed point than `residual`.
double eigenpair_tolerance(double residual, double coarsest);

}  // namespace tertium::internal
