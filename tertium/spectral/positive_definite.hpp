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

/// Proves that <A, Y> <= r mu + the sum of weights_i |v_i|^2 for every Y with 0 <= Y <= I, Y1 = 0
/// and tr Y = r: that mu I - A + V D V' is positive definite. `centred` is CAC, C = I - 11'/n;
/// weights are >= 0. `work` is overwritten. False says nothing.
bool is_proved_dominated(const Eigen::MatrixXd& centred, double mu, const Eigen::MatrixXd& vectors,
                         const Eigen::VectorXd& weights, Eigen::MatrixXd& work);

}  // namespace tertium::internal
