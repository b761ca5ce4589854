#include "tertium/sdp/splitting.hpp"

#include <algorithm>
#include <cmath>

namespace tertium {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Over-relaxation and penalty: with ||S|| scaled to 1, small penalties work well near
/// the optimum and larger ones far from it.
constexpr double relaxation = 1.6;
constexpr double penalty_near_optimum = 2;
constexpr double penalty_far_from_optimum = 15;
constexpr double balance_tolerance = 3;  // ratio of residuals that is left alone
constexpr double balance_step = 1.5;
/// Eigenpairs need not be more accurate than the iteration is: their residuals, in the units of Q.
constexpr double eigenpair_accuracy = 0.1;
constexpr double coarsest_eigenpairs = 1e-3;
constexpr double finest_eigenpairs = 1e-11;
constexpr double spectral_start_accuracy = 1e-2;

/// Shift tau such that the sum of clip(w - tau, 0, 1) is `target`: bisection on a decreasing
/// function.
double shift_for_trace(const VectorXd& values, double target) {
  double low = values.minCoeff() - 1;
  double high = values.maxCoeff();
  constexpr int bisections = 100;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (low + high) / 2;
    const double sum = (values.array() - middle).max(0.0).min(1.0).sum();
    (sum > target ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

Splitting::Splitting(const MatrixXd& similarity, const SdpProgram& program, double scale)
    : similarity_(similarity),
      program_(program),
      scale_(scale),
      penalty_(penalty_far_from_optimum),
      q_(similarity.rows(), similarity.rows()),
      subspace_(similarity.rows()) {}

void Splitting::start_from(const MatrixXd& x, const MatrixXd& dual) {
  penalty_ = penalty_near_optimum;
  q_ = x - dual / (scale_ * penalty_);
}

void Splitting::start_spectral(Index rank) {
  rank = std::clamp<Index>(rank, 0, similarity_.rows() - 1);
  const auto relevant = [&](const VectorXd& values) {
    return values[std::min(rank, values.size() - 1)];
  };
  subspace_.update(similarity_, spectral_start_accuracy * scale_, relevant);
  const MatrixXd leading = subspace_.vectors().leftCols(std::min(rank, subspace_.vectors().cols()));
  q_.noalias() = leading * leading.transpose();
  q_.array() += 1 / static_cast<double>(q_.rows());
}

void Splitting::project() {
  double tau = 0;
  const auto relevant = [&](const VectorXd& values) {
    if (const auto* clusters = std::get_if<Clusters>(&program_)) {
      tau = shift_for_trace(values, clusters->count - 1);
    } else {
      tau = std::get<Lambda>(program_).value / (penalty_ * scale_);
    }
    return tau;
  };
  const double accuracy =
      std::clamp(eigenpair_accuracy * std::min(primal_residual_, dual_residual_), finest_eigenpairs,
                 coarsest_eigenpairs);
  subspace_.update(work_, accuracy, relevant);
  const VectorXd clipped = (subspace_.values().array() - tau).max(0.0).min(1.0);
  const auto kept = static_cast<Index>((clipped.array() > 0).count());
  weights_ = clipped.head(kept);
  vectors_ = subspace_.vectors().leftCols(kept);
}

void Splitting::iterate() {
  work_ = q_.cwiseAbs() + similarity_ / (scale_ * penalty_);
  project();
  const MatrixXd factor = vectors_ * weights_.cwiseSqrt().asDiagonal();
  work_.noalias() = factor * factor.transpose();
  work_.array() += 1 / static_cast<double>(q_.rows());
  double primal = 0;
  double dual = 0;
  for (Index j = 0; j < q_.cols(); ++j) {
    const VectorXd before = q_.col(j).cwiseMax(0.0);
    q_.col(j) = relaxation * work_.col(j) + (1 - relaxation) * before + q_.col(j).cwiseMin(0.0);
    const auto after = q_.col(j).cwiseMax(0.0);
    primal += (work_.col(j) - after).squaredNorm();
    dual += (after - before).squaredNorm();
  }
  primal_residual_ = std::sqrt(primal);
  dual_residual_ = std::sqrt(dual);
}

void Splitting::balance() {
  const double ratio = primal_residual_ / std::max(dual_residual_, 1e-300);
  double factor = 1;
  if (ratio > balance_tolerance) factor = balance_step;
  if (ratio < 1 / balance_tolerance) factor = 1 / balance_step;
  if (factor == 1) return;
  q_ = q_.cwiseMax(0.0) + q_.cwiseMin(0.0) / factor;  // U is scaled by the penalty and follows it
  penalty_ *= factor;
}

Splitting::Feasible Splitting::feasible() const {
  Feasible result{make_feasible(vectors_, weights_, work_.minCoeff()), 0};
  const auto size = static_cast<double>(work_.rows());
  const double inside = similarity_.cwiseProduct(work_).sum();
  const FactoredPoint& point = result.point;
  const double mixture = point.identity_part * similarity_.trace() +
                         (1 - point.identity_part) * similarity_.sum() / size;
  result.inner_product = (1 - point.mixed) * inside + point.mixed * mixture;
  return result;
}

MatrixXd Splitting::dual() const { return scale_ * penalty_ * (-q_).cwiseMax(0.0); }

}  // namespace tertium
