#include "tertium/exact/cut_splitting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tertium/sdp/spectral_clip.hpp"
#include "tertium/spectral/dense_product.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Chosen on 56 programs of 26 to 100 items about people's answers, 2 to 8 clusters; not measured at
// half and double.

constexpr double relaxation = 1.6;
constexpr double first_penalty = 6;
constexpr double smallest_penalty = 0.5;
constexpr double largest_penalty = 60;
constexpr double balance_tolerance = 2;
constexpr double balance_step = 1.3;
/// A violation is counted if it is so large a part of 1/k, the size of entries of X near a
/// partition.
constexpr double least_violation = 1e-4;
/// New cuts in a round, for every group.
constexpr Index cuts_for_each = 6;
constexpr int rounds_of_patience = 5;
/// Up to here a full decomposition is quicker than following a subspace.
constexpr Index most_decomposed = 48;
constexpr double coarsest_eigenpairs = 1e-3;
constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

/// The direction goes below all others, so that it takes no part among the largest.
void push_down(MatrixXd& inner, const VectorXd& direction) {
  const double below = 2 * (1 + inner.norm()) / direction.squaredNorm();
  inner.noalias() -= below * direction * direction.transpose();
}

double norm_of(MatrixXd matrix, const VectorXd& direction) {
  take_out_direction(matrix, direction);
  const VectorXd values = symmetric_eigenvalues(std::move(matrix));
  return std::max({std::abs(values[0]), std::abs(values[values.size() - 1]), 1e-300});
}

/// H A H with the reflection H = I - 2uu'/|u|^2.
void reflect(MatrixXd& matrix, const VectorXd& u) {
  const double squared = u.squaredNorm();
  const VectorXd along = matrix * u * (2 / squared);
  const VectorXd shift = along - u * (u.dot(along) / squared);
  for (Index j = 0; j < matrix.cols(); ++j) matrix.col(j) -= shift * u[j] + u * shift[j];
}

VectorXd reflector_to_ones(const VectorXd& direction) {
  const auto size = static_cast<double>(direction.size());
  VectorXd u = direction.normalized();
  u.array() -= 1 / std::sqrt(size);
  if (u.norm() < 1e-9) return {};
  return u;
}

}  // namespace

CutSplitting::Start CutSplitting::at_partition(const MergedItems& items, const Labels& labels) {
  return {point_of(items, labels), {}, first_penalty, norm_of(items.scaled, items.root)};
}

CutSplitting::CutSplitting(const MergedItems& items, int clusters, Start start, Run& run)
    : items_(items),
      clusters_(clusters),
      run_(run),
      scale_(start.scale),
      penalty_(start.penalty),
      cone_(items, std::move(start.cuts)),
      q_(std::move(start.state)),
      reflector_(reflector_to_ones(items.root)),
      subspace_(items.size(), run) {
  z_ = cone_.project(q_);
  w_ = z_;
}

void CutSplitting::find_point() {
  MatrixXd matrix = 2 * z_ - q_ + items_.scaled / (scale_ * penalty_);
  const Index size = items_.size();
  double tau = 0;
  const auto shift = [&](const VectorXd& values) {
    tau = shift_for_trace(values, clusters_ - 1);
    return tau;
  };
  VectorXd values;
  MatrixXd vectors;
  if (size <= most_decomposed) {
    take_out_direction(matrix, items_.root);
    push_down(matrix, items_.root);
    const SymmetricEigen eigen = symmetric_eigen(std::move(matrix));
    values = eigen.values.tail(size - 1);
    shift(values);
    const auto above = static_cast<Index>((values.array() > tau).count());
    vectors = eigen.vectors.rightCols(above);
    values = values.tail(above).eval();
  } else {
    if (reflector_.size() > 0) reflect(matrix, reflector_);
    const double accuracy =
        eigenpair_tolerance(std::min(primal_residual_, dual_residual_), coarsest_eigenpairs);
    subspace_.update(matrix, accuracy, shift);
    const auto above = static_cast<Index>((subspace_.values().array() > tau).count());
    values = subspace_.values().head(above);
    vectors = subspace_.vectors().leftCols(above);
    if (reflector_.size() > 0) {
      vectors -= reflector_ * (reflector_.transpose() * vectors * (2 / reflector_.squaredNorm()));
    }
  }
  const VectorXd weights = (values.array() - tau).max(0.0).min(1.0);
  const MatrixXd factor = vectors * weights.cwiseSqrt().asDiagonal();
  multiply_by_transpose(factor, w_, run_);
  w_.noalias() += items_.root * items_.root.transpose() / items_.items();
}

void CutSplitting::iterate() {
  run_.check();
  find_point();
  q_ += relaxation * (w_ - z_);
  MatrixXd last = std::move(z_);
  z_ = cone_.project(q_);
  primal_residual_ = (w_ - z_).norm();
  dual_residual_ = (z_ - last).norm();
}

void CutSplitting::aim_at(const MatrixXd& point) {
  q_ += point - z_;
  z_ = cone_.project(q_);
}

void CutSplitting::balance() {
  const double primal = primal_residual_ / w_.norm();
  const double dual = dual_residual_ / std::max((z_ - q_).norm(), 1e-300);
  double factor = 1;
  if (primal > balance_tolerance * dual && penalty_ < largest_penalty) factor = balance_step;
  if (dual > balance_tolerance * primal && penalty_ > smallest_penalty) factor = 1 / balance_step;
  if (factor == 1) return;
  q_ = z_ + (q_ - z_) / factor;
  cone_.scale_multipliers(1 / factor);
  penalty_ *= factor;
}

void CutSplitting::renew_cuts() {
  cone_.separate(w_, least_violation / clusters_,
                 static_cast<std::size_t>(cuts_for_each * items_.size()), run_);
  cone_.drop_idle(rounds_of_patience);
}

NodeProof CutSplitting::proof() const {
  const CutCone::Dual dual = cone_.dual(q_, scale_ * penalty_);
  MatrixXd matrix = items_.scaled + dual.matrix;
  const VectorXd& v = items_.root;
  const double norm = matrix.norm();
  // An entry of `matrix` is a sum of S and N, a few operations each, and of the cuts that touch it.
  const auto size = static_cast<double>(items_.size());
  const auto cuts = static_cast<double>(cone_.cuts().size());
  const double entries = unit_roundoff * (8 * items_.scaled.norm() + 8 * dual.nonnegative.norm() +
                                          2 * norm + (cuts + 16) * dual.absolute_cuts.norm());
  // Sums of n terms, the removal of v, and LAPACK's eigenvalues.
  const double sums = 32 * size * unit_roundoff * norm;
  NodeProof proof;
  proof.bound = v.dot(matrix * v) / items_.items();
  take_out_direction(matrix, v);
  push_down(matrix, v);
  const double eigenvalues = 4 * eigenvalue_error_bound(matrix);
  proof.bound += symmetric_eigenvalues(std::move(matrix)).tail(clusters_ - 1).sum();
  // Twice, so that checkers have as much room for their rounding.
  proof.bound += 2 * clusters_ * (entries + sums + eigenvalues);
  for (Index g = 0; g < items_.size(); ++g) {
    for (Index h = 0; h <= g; ++h) {
      proof.nonnegative.push_back(static_cast<float>(dual.nonnegative(g, h)));
    }
  }
  for (std::size_t t = 0; t < dual.multipliers.size(); ++t) {
    if (dual.multipliers[t] == 0) continue;
    const TriangleCut& cut = cone_.cuts()[t];
    proof.cuts.push_back({static_cast<std::uint32_t>(cut.apex),
                          static_cast<std::uint32_t>(cut.left),
                          static_cast<std::uint32_t>(cut.right), dual.multipliers[t]});
  }
  return proof;
}

}  // namespace tertium::internal
