#pragma once

#include <Eigen/Core>

#include "tertium/sdp/program.hpp"
#include "tertium/spectral/leading_subspace.hpp"

namespace tertium::internal {

/// An upper bound on the value of the program, from any symmetric N >= 0 (entrywise):
///
///   A = S + N,  eigenvalues of A on the space orthogonal to 1, decreasing:
///   Clusters k:   1'A1/n + the sum of the k-1 largest
///   Lambda l:     1'A1/n - l + the sum of max(0, eigenvalue - l)
///
/// since <N,X> >= 0 for feasible X, and X = 11'/n + Y with 0 <= Y <= I, Y1 = 0. Eigenvalues are
/// LAPACK's, and their error is added, so that the bound holds in floating point. N must have no
/// negative entry.
double upper_bound(const Eigen::MatrixXd& similarity, const Eigen::MatrixXd& dual,
                   const SdpProgram& program);

/// The same bound for SDP-k and for less, for matrices N that change little by little: leading
/// eigenpairs followed from call to call, and one Cholesky factorisation as the proof that nothing
/// lies above.
class BoundProver {
 public:
  BoundProver(const Eigen::MatrixXd& similarity, int clusters, Run& run);

  /// Not computed, and infinity returned, if the bound would clearly be above `limit`. Up to
  /// about `slack` of it is given away to make the proof easy.
  double bound(const Eigen::MatrixXd& dual, double limit, double slack);
  /// Orthonormal vectors, orthogonal to 1, near the leading eigenvectors of S + N.
  void expect(const Eigen::MatrixXd& vectors) { subspace_.restart(vectors); }

 private:
  const Eigen::MatrixXd& similarity_;
  Eigen::Index others_;  // clusters - 1
  LeadingSubspace subspace_;
  Eigen::MatrixXd inner_;  // S + N, then centred
  Eigen::MatrixXd shifted_;
};

}  // namespace tertium::internal
