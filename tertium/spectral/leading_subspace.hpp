#pragma once

#include <Eigen/Core>

#include "tertium/core/random.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// The leading eigenpairs of a dense symmetric matrix on the space orthogonal to 1, followed while
/// the matrix changes little by little: Chebyshev-filtered subspace iteration, started from
/// the last eigenvectors. A filter of degree d costs d products with a block of vectors.
class LeadingSubspace {
 public:
  /// `run` must outlive this.
  LeadingSubspace(Eigen::Index size, Run& run);

  /// Starts again from these orthonormal vectors, orthogonal to 1: eigenvectors of a similar
  /// matrix.
  void restart(const Eigen::MatrixXd& vectors);

  /// Finds the leading eigenpairs of C A C, C = I - 11'/n, until the residual of
  /// those above `relevant(values)` is at most `tolerance`. `relevant` maps the values (decreasing)
  /// to a threshold; if even the last value lies above it, the block is widened and the search goes
  /// on.
  template <typename Relevant>
  void update(const Eigen::MatrixXd& matrix, double tolerance, Relevant&& relevant) {
    for (int round = 0; round < most_rounds; ++round) {
      refine(matrix, tolerance);
      const double threshold = relevant(values_);
      const auto above = static_cast<Eigen::Index>((values_.array() > threshold).count());
      if (above == values_.size() && widen()) continue;
      if (residuals_.head(above).size() == 0 || residuals_.head(above).maxCoeff() <= tolerance) {
        resize(above);
        return;
      }
    }
  }

  [[nodiscard]] const Eigen::VectorXd& values() const { return values_; }    // decreasing
  [[nodiscard]] const Eigen::MatrixXd& vectors() const { return vectors_; }  // orthonormal

 private:
  static constexpr int most_rounds = 12;

  /// One filter and one Rayleigh-Ritz step.
  void refine(const Eigen::MatrixXd& matrix, double tolerance);
  void decompose(const Eigen::MatrixXd& matrix);
  bool widen();
  void add_random(Eigen::Index count);
  void resize(Eigen::Index above);
  [[nodiscard]] bool wants_everything() const;

  Eigen::Index size_;
  Run* run_;  // never null
  Random random_;
  Eigen::MatrixXd vectors_;
  Eigen::VectorXd values_;
  Eigen::VectorXd residuals_;
};

}  // namespace tertium::internal
