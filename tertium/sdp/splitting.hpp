#pragma once

#include <Eigen/Core>

#include "tertium/sdp/feasible.hpp"
#include "tertium/sdp/program.hpp"
#include "tertium/spectral/leading_subspace.hpp"

namespace tertium {

/// The iteration (docs/solver.md): one matrix Q of state, Z = max(Q, 0) and U = min(Q, 0).
///
///   (w,V) = leading eigenpairs of |Q| + S/(sigma rho) on the space orthogonal to 1
///   X = 11'/n + V clip(w - tau, 0, 1) V'
///   Q = a X + (1-a) Z + U
class Splitting {
 public:
  /// `similarity` must outlive this; `scale` is its norm.
  Splitting(const Eigen::MatrixXd& similarity, const SdpProgram& program, double scale);

  /// Starts from a point that is nearly optimal, and its dual matrix.
  void start_from(const Eigen::MatrixXd& x, const Eigen::MatrixXd& dual);
  /// Starts from 11'/n and the leading eigenvectors of S: `rank` of them.
  void start_spectral(Eigen::Index rank);

  void iterate();
  /// Keeps the two residuals of similar size by changing the penalty rho.
  void balance();

  /// X of the last iteration made feasible, and its value <S,X>.
  struct Feasible {
    FactoredPoint point;
    double inner_product = 0;
  };
  [[nodiscard]] Feasible feasible() const;
  /// N = sigma rho max(-Q, 0) >= 0, which proves a bound.
  [[nodiscard]] Eigen::MatrixXd dual() const;

  /// Near the leading eigenvectors of S + N, more than the rank of X.
  [[nodiscard]] const Eigen::MatrixXd& subspace() const { return subspace_.vectors(); }

 private:
  void project();

  const Eigen::MatrixXd& similarity_;
  SdpProgram program_;
  double scale_;
  double penalty_;
  Eigen::MatrixXd q_;
  Eigen::MatrixXd work_;  // the matrix whose eigenpairs are sought, then X
  LeadingSubspace subspace_;
  Eigen::MatrixXd vectors_;
  Eigen::VectorXd weights_;
  double primal_residual_ = 1;
  double dual_residual_ = 1;
};

}  // namespace tertium
