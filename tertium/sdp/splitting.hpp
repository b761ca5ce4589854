#pragma once

#include <Eigen/Core>

#include "tertium/sdp/extrapolation.hpp"
#include "tertium/sdp/feasible.hpp"
#include "tertium/sdp/program.hpp"
#include "tertium/spectral/leading_subspace.hpp"

namespace tertium::internal {

/// The iteration (docs/solver.md): one matrix Q of state, Z = max(Q, 0) and U = min(Q, 0).
///
///   (w,V) = leading eigenpairs of |Q| + S/(sigma rho) on the space orthogonal to 1
///   X = 11'/n + V clip(w - tau, 0, 1) V'
///   Q = a X + (1-a) Z + U, extrapolated
class Splitting {
 public:
  /// `similarity` must outlive this; `scale` is its norm.
  Splitting(const Eigen::MatrixXd& similarity, const SdpProgram& program, double scale, Run& run);

  /// Starts from a point that is nearly optimal, and its dual matrix.
  void start_from(const Eigen::MatrixXd& x, const Eigen::MatrixXd& dual);
  /// Starts from 11'/n and the leading eigenvectors of S: `rank` of them.
  void start_spectral(Eigen::Index rank);

  /// One step; now and then, ever more rarely, also changes the penalty rho so that the two
  /// residuals stay of similar size.
  void iterate();

  /// X of the last iteration made feasible, and its value <S,X>.
  struct Feasible {
    FactoredPoint point;
    double inner_product = 0;
    double unrepaired = 0;  // <S,X> before entries were made nonnegative
  };
  [[nodiscard]] Feasible feasible() const;
  /// The same after a few alternating projections towards nonnegative entries, which leave less to
  /// repair: about as much work as so many iterations.
  [[nodiscard]] Feasible feasible_after(int projections) const;
  /// N = sigma rho max(-Q, 0) >= 0, which proves a bound.
  [[nodiscard]] Eigen::MatrixXd dual() const;

  /// Eigenvalues of X of the last iteration, 1 and then decreasing.
  [[nodiscard]] Eigen::VectorXd eigenvalues() const;

  /// How far the last iteration was from its fixed point, as a share of the norm that X would have
  /// if it were a partition.
  [[nodiscard]] double residual() const;

  /// Near the leading eigenvectors of S + N, more than the rank of X.
  [[nodiscard]] const Eigen::MatrixXd& subspace() const { return subspace_.vectors(); }

 private:
  struct Projection {
    Eigen::MatrixXd vectors;
    Eigen::VectorXd weights;
  };
  Projection project(const Eigen::MatrixXd& matrix, LeadingSubspace& subspace, double price) const;
  [[nodiscard]] Feasible feasible(const Projection& inner, const Eigen::MatrixXd& x) const;
  void balance();

  const Eigen::MatrixXd& similarity_;
  SdpProgram program_;
  double scale_;
  Run& run_;
  double penalty_;
  double image_penalty_ = 0;  // that of `image_`
  Eigen::MatrixXd q_;
  Eigen::MatrixXd image_;  // of the last Q
  Eigen::MatrixXd work_;   // the matrix whose eigenpairs are sought, then X
  LeadingSubspace subspace_;
  Projection inner_;  // X without 11'/n
  Extrapolation extrapolation_;
  double primal_residual_ = 1;
  double dual_residual_ = 1;
  double log_ratio_ = 0;  // of the residuals, summed up since the last change
  int since_balancing_ = 0;
  int until_balancing_;
};

}  // namespace tertium::internal
