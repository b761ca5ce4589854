#pragma once

#include <Eigen/Core>

#include "tertium/sdp/sdp.hpp"

namespace tertium {

/// An upper bound on the value of the program, from any symmetric N >= 0 (entrywise):
///
///   A = S + N,  eigenvalues of A on the space orthogonal to 1, decreasing:
///   Clusters k:   1'A1/n + the sum of the k-1 largest
///   Lambda l:     1'A1/n - l + the sum of max(0, eigenvalue - l)
///
/// since <N,X> >= 0 for feasible X, and X = 11'/n + Y with 0 <= Y <= I, Y1 = 0. The error of
/// computed eigenvalues is added, so that the bound holds in floating point. N must have no
/// negative entry.
double upper_bound(const Eigen::MatrixXd& similarity, const Eigen::MatrixXd& dual,
                   const SdpProgram& program);

/// C A C with C = I - 11'/n: A on the space orthogonal to 1.
Eigen::MatrixXd centred(const Eigen::MatrixXd& matrix);

}  // namespace tertium
