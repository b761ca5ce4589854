#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "tertium/exact/cut_cone.hpp"
#include "tertium/exact/merged_items.hpp"
#include "tertium/exact/proof_tree.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/leading_subspace.hpp"

namespace tertium::internal {

/// SDP-k with triangle cuts, over groups of items (docs/solver.md): Douglas-Rachford between the
/// spectral set and the cone K of the cuts, with one matrix Q of state.
///
///   Z = the projection of Q onto K
///   W = vv'/n + V clip(w - tau, 0, 1) V',  (w,V) eigenpairs of 2Z - Q + S/(sigma rho) across v
///   Q = Q + a (W - Z)
///
/// sigma rho (Z - Q) is a combination of the constraints of K, and proves a bound at any time.
class CutSplitting {
 public:
  /// Where to begin: a state Q with its cuts, from a node above or from a partition.
  struct Start {
    Eigen::MatrixXd state;
    std::vector<TriangleCut> cuts;
    double penalty = 0;
    double scale = 0;  // sigma: dual matrices are in units of sigma rho
  };
  /// The state of a partition of all items, without any cut.
  static Start at_partition(const MergedItems& items, const Labels& labels);

  /// `items` and `run` must outlive this. 2 <= clusters.
  CutSplitting(const MergedItems& items, int clusters, Start start, Run& run);

  void iterate();
  /// Keeps what was learned about the constraints, and looks from this point on.
  void aim_at(const Eigen::MatrixXd& point);
  /// Changes the penalty rho so that the relative residuals stay of similar size.
  void balance();
  /// Adds violated cuts, drops those that have long been idle.
  void renew_cuts();

  /// A bound on the value of every partition into as many clusters that does as demanded, and what
  /// proves it: rigorous, with all rounding added.
  [[nodiscard]] NodeProof proof() const;

  /// The last point W of the spectral set.
  [[nodiscard]] const Eigen::MatrixXd& point() const { return w_; }
  [[nodiscard]] const std::vector<TriangleCut>& cuts() const { return cone_.cuts(); }
  [[nodiscard]] Start state() const { return {q_, cone_.cuts(), penalty_, scale_}; }

 private:
  void find_point();

  const MergedItems& items_;
  int clusters_;
  Run& run_;
  double scale_;
  double penalty_;
  CutCone cone_;
  Eigen::MatrixXd q_;
  Eigen::MatrixXd z_;
  Eigen::MatrixXd w_;
  Eigen::VectorXd reflector_;  // takes v to the direction of 1; empty if that is where it is
  LeadingSubspace subspace_;
  double primal_residual_ = 1;  // |W - Z|
  double dual_residual_ = 1;    // |Z - the last Z|
};

}  // namespace tertium::internal
