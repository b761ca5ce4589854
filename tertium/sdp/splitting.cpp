#include "tertium/sdp/splitting.hpp"

#include <algorithm>
#include <cmath>

namespace tertium {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Over-relaxation and penalty: with ||S|| scaled to 1, penalties of 2 to 10 work well.
constexpr double relaxation = 1.6;
constexpr double first_penalty = 2;
constexpr double balance_tolerance = 3;  // ratio of residuals that is left alone
constexpr double balance_step = 1.5;
/// Eigenpairs need not be more accurate than the iteration is: their residuals, in the units of Q.
constexpr double eigenpair_accuracy = 0.1;
constexpr double coarsest_eigenpairs = 1e-3;
constexpr double finest_eigenpairs = 1e-11;

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
      penalty_(first_penalty),
      q_(MatrixXd::Identity(similarity.rows(), similarity.rows())),
      subspace_(similarity.rows()) {}

void Splitting::start_from(const MatrixXd& x, const MatrixXd& dual) {
  q_ = x - dual / (scale_ * penalty_);
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
  const double constant = 1 / static_cast<double>(q_.rows());
  double primal = 0;
  double dual = 0;
  double* q = q_.data();
  double* x = work_.data();
  for (Index at = 0; at < q_.size(); ++at) {
    x[at] += constant;
    const double before = std::max(q[at], 0.0);
    q[at] = relaxation * x[at] + (1 - relaxation) * before + std::min(q[at], 0.0);
    const double after = std::max(q[at], 0.0);
    primal += (x[at] - after) * (x[at] - after);
    dual += (after - before) * (after - before);
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
