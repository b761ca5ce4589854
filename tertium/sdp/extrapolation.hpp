#pragma once

#include <Eigen/Core>

namespace tertium::internal {

/// Anderson extrapolation of a fixed-point iteration Q -> G(Q) on n x n matrices (type II, Walker
/// and Ni 2011): the next Q is the combination of the last images whose residuals G(Q) - Q cancel
/// best. Near the optimum the splitting is nearly linear, and this takes two or three times fewer
/// steps.
///
/// Only for small matrices: with many items eigenvectors follow Q from step to step, and
/// longer steps cost them more than is saved (measured at n = 1000).
class Extrapolation {
 public:
  explicit Extrapolation(Eigen::Index size);

  /// Replaces `q` by the next point, given its image.
  void advance(Eigen::MatrixXd& q, const Eigen::MatrixXd& image);
  /// The map has changed: what was learned is of no use.
  void forget();

  /// How many n x n matrices it keeps.
  static int matrices_held(Eigen::Index size);

 private:
  void remember(const Eigen::MatrixXd& image);
  [[nodiscard]] Eigen::VectorXd combination() const;

  Eigen::Index capacity_;
  Eigen::Index kept_ = 0;
  Eigen::Index oldest_ = 0;
  bool has_last_ = false;
  double last_norm_ = 0;
  Eigen::MatrixXd residual_, last_residual_, last_image_;
  Eigen::MatrixXd residual_steps_, image_steps_;  // one difference a column
  Eigen::MatrixXd gram_;                          // of the residual steps
};

}  // namespace tertium::internal
