#pragma once

#include <Eigen/Core>

namespace tertium::internal {

/// Proves that a symmetric matrix is positive definite, by one Cholesky factorisation in floating
/// point. Rump (2006): if the factorisation of A - c I runs through, with c at least
/// g/(1-g) tr A, g = (n+1) u / (1 - (n+1) u), u = 2^-53, then A is positive definite, whatever the
/// order of the sums. `entry_error` bounds the spectral norm of the difference between `matrix` and
/// the matrix that is meant (rounding when it was formed). False says nothing. Reads and overwrites
/// the lower triangle. O(n^3/3).
bool is_proved_positive_definite(Eigen::MatrixXd& matrix, double entry_error);

}  // namespace tertium::internal
