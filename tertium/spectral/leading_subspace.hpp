#pragma once

#include <Eigen/Core>

#include "tertium/core/random.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// The leading eigenpairs of a dense symmetric matrix on the space orthogonal to 1, followed while
/// the matrix changes little by little: Chebyshev-filtered subspace iteration, started from
/// the last eigenvectors. A filter of degree d costs d products with a block of vectors; the degree
/// follows what the last matrices needed.
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
    look_at(matrix, tolerance);
    for (int round = 0; round < most_rounds; ++round) {
      refine(matrix);
      const double threshold = relevant(values_);
      const auto above = static_cast<Eigen::Index>((values_.array() > threshold).count());
      if (above == values_.size() && widen()) continue;
      const double worst = above == 0 ? 0 : residuals_.head(above).maxCoeff();
      if (worst <= tolerance) {
        adapt_degree(round, worst / tolerance);
        resize(above);
        return;
      }
    }
  }

  [[nodiscard]] const Eigen::VectorXd& values() const { return values_; }    // decreasing
  [[nodiscard]] const Eigen::MatrixXd& vectors() const { return vectors_; }  // orthonormal

 private:
  /// A guard: half as many do as well.
  static constexpr int most_rounds = 12;

  /// What all filters of one matrix need: the range of its spectrum, and whether half of the digits
  /// do.
  void look_at(const Eigen::MatrixXd& matrix, double tolerance);
  /// One filter and one Rayleigh-Ritz step.
  void refine(const Eigen::MatrixXd& matrix);
  /// For the next matrix, which is similar: what the rounds so far say about the degree.
  void adapt_degree(int rounds_in_vain, double used_up);
  [[nodiscard]] Eigen::MatrixXd image_of(const Eigen::MatrixXd& matrix,
                                         const Eigen::MatrixXd& block) const;
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
  int degree_;         // of the filter
  double lowest_ = 0;  // ends of the spectrum of the matrix
  double top_ = 0;
  Eigen::MatrixXf coarse_;  // the matrix in single precision, if that is enough
};

}  // namespace tertium::internal
