#include "tertium/sdp/splitting.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "tertium/sdp/spectral_clip.hpp"
#include "tertium/spectral/dense_product.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Measured by the iterations of 18 programs: small ones of 26 to 300 items, which are extrapolated,
// and large ones of 500 to 700.

/// Converges below 2 only. 1.3 takes 1.4 times as many iterations in large programs, 1.9 takes 1.25
/// times as many.
constexpr double relaxation = 1.6;
/// With ||S|| scaled to 1, small penalties work well near the optimum and larger ones far from it.
/// Near: 5 % more iterations at half, 4 % fewer at double. Far: 3 to 8 % fewer at half, with bounds
/// that differ by 3e-4 either way; 1.1 to 1.5 times as many at double.
constexpr double penalty_near_optimum = 2;
constexpr double penalty_far_from_optimum = 6;
/// Ratio of residuals that is left alone: 1.2 takes 10 % more in large programs, 3 takes 20 % more.
constexpr double balance_tolerance = 1.5;
/// Its root takes as many, its square 8 % more in large programs.
constexpr double balance_step = 1.5;
/// Half takes 1.3 times as many in large programs, double 3 % more.
constexpr int iterations_before_balancing = 10;
/// The interval grows by one in so many, so that the penalty settles: half and double, 5 %.
constexpr int balancing_growth = 10;
constexpr double coarsest_eigenpairs = 1e-2;
constexpr double spectral_start_accuracy = 1e-2;

constexpr Index columns_at_once = 64;
/// Smaller matrices are gone through before another thread has woken up.
constexpr Index entries_worth_threads = Index{1} << 17U;

/// Calls `work(j)` for all columns, by several threads if there are many.
template <typename Work>
void for_columns(const MatrixXd& matrix, Run& run, const Work& work) {
  std::atomic<Index> next = 0;
  run.workers(matrix.size() < entries_worth_threads ? 1 : run.threads(), [&](int) {
    for (Index from = next.fetch_add(columns_at_once); from < matrix.cols();
         from = next.fetch_add(columns_at_once)) {
      const Index to = std::min(from + columns_at_once, matrix.cols());
      for (Index j = from; j < to; ++j) work(j);
    }
  });
}

/// X = 11'/n + V diag(c) V'
void fill(MatrixXd& x, const MatrixXd& vectors, const VectorXd& weights, Run& run) {
  const MatrixXd factor = vectors * weights.cwiseSqrt().asDiagonal();
  multiply_by_transpose(factor, x, run);
  x.array() += 1 / static_cast<double>(x.rows());
}

}  // namespace

Splitting::Splitting(const MatrixXd& similarity, const SdpProgram& program, double scale, Run& run)
    : similarity_(similarity),
      program_(program),
      scale_(scale),
      run_(run),
      penalty_(penalty_far_from_optimum),
      q_(similarity.rows(), similarity.rows()),
      subspace_(similarity.rows(), run),
      extrapolation_(similarity.rows()),
      until_balancing_(iterations_before_balancing) {}

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

/// The eigenpairs of P M P cut to [0, 1] after a shift: by `price` for SDP-lambda, by what the
/// trace needs for SDP-k.
Splitting::Projection Splitting::project(const MatrixXd& matrix, LeadingSubspace& subspace,
                                         double price) const {
  double tau = 0;
  const auto relevant = [&](const VectorXd& values) {
    const auto* clusters = std::get_if<Clusters>(&program_);
    tau = clusters != nullptr ? shift_for_trace(values, clusters->count - 1) : price;
    return tau;
  };
  const double accuracy =
      eigenpair_tolerance(std::min(primal_residual_, dual_residual_), coarsest_eigenpairs);
  subspace.update(matrix, accuracy, relevant);
  const VectorXd clipped = (subspace.values().array() - tau).max(0.0).min(1.0);
  const auto kept = static_cast<Index>((clipped.array() > 0).count());
  return {subspace.vectors().leftCols(kept), clipped.head(kept)};
}

void Splitting::iterate() {
  work_.resize(q_.rows(), q_.cols());
  for_columns(q_, run_, [&](Index j) {
    work_.col(j) = q_.col(j).cwiseAbs() + similarity_.col(j) / (scale_ * penalty_);
  });
  const auto* lambda = std::get_if<Lambda>(&program_);
  inner_ = project(work_, subspace_, lambda == nullptr ? 0 : lambda->value / (penalty_ * scale_));
  fill(work_, inner_.vectors, inner_.weights, run_);
  image_.resize(q_.rows(), q_.cols());
  // By column, so that the sums have the same bits whoever did which.
  VectorXd primal(q_.cols());
  VectorXd dual(q_.cols());
  for_columns(q_, run_, [&](Index j) {
    const auto before = q_.col(j).array().max(0.0);
    image_.col(j).array() =
        relaxation * work_.col(j).array() + (1 - relaxation) * before + q_.col(j).array().min(0.0);
    const auto after = image_.col(j).array().max(0.0);
    primal[j] = (work_.col(j).array() - after).square().sum();
    dual[j] = (after - before).square().sum();
  });
  primal_residual_ = std::sqrt(primal.sum());
  dual_residual_ = std::sqrt(dual.sum());
  image_penalty_ = penalty_;
  extrapolation_.advance(q_, image_);
  balance();
}

void Splitting::balance() {
  log_ratio_ += std::log(std::max(primal_residual_, 1e-300) / std::max(dual_residual_, 1e-300));
  if (++since_balancing_ < until_balancing_) return;
  const double mean_ratio = std::exp(log_ratio_ / since_balancing_);
  double factor = 1;
  if (mean_ratio > balance_tolerance) factor = balance_step;
  if (mean_ratio < 1 / balance_tolerance) factor = 1 / balance_step;
  log_ratio_ = 0;
  since_balancing_ = 0;
  until_balancing_ += until_balancing_ / balancing_growth;
  if (factor == 1) return;
  q_ = q_.cwiseMax(0.0) + q_.cwiseMin(0.0) / factor;  // U is scaled by the penalty and follows it
  penalty_ *= factor;
  extrapolation_.forget();
}

Splitting::Feasible Splitting::feasible() const { return feasible(inner_, work_); }

Splitting::Feasible Splitting::feasible_after(int projections) const {
  LeadingSubspace subspace = subspace_;
  Projection inner = inner_;
  MatrixXd x = work_;
  for (int i = 0; i < projections; ++i) {
    x = x.cwiseMax(0.0);
    inner = project(x, subspace, 0);
    fill(x, inner.vectors, inner.weights, run_);
  }
  return feasible(inner, x);
}

Splitting::Feasible Splitting::feasible(const Projection& inner, const MatrixXd& x) const {
  Feasible result{make_feasible(inner.vectors, inner.weights, x.minCoeff()), 0, 0};
  const auto size = static_cast<double>(x.rows());
  result.unrepaired = similarity_.cwiseProduct(x).sum();
  const FactoredPoint& point = result.point;
  const double mixture = point.identity_part * similarity_.trace() +
                         (1 - point.identity_part) * similarity_.sum() / size;
  result.inner_product = (1 - point.mixed) * result.unrepaired + point.mixed * mixture;
  return result;
}

VectorXd Splitting::eigenvalues() const {
  VectorXd values(1 + inner_.weights.size());
  values << 1, inner_.weights;
  return values;
}

double Splitting::residual() const {
  return std::max(primal_residual_, dual_residual_) / std::sqrt(1 + inner_.weights.sum());
}

MatrixXd Splitting::dual() const { return scale_ * image_penalty_ * (-image_).cwiseMax(0.0); }

}  // namespace tertium::internal
