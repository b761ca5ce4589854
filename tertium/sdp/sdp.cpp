#include "tertium/sdp/sdp.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "tertium/core/error.hpp"
#include "tertium/sdp/bound.hpp"
#include "tertium/sdp/feasible.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"

namespace tertium {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Over-relaxation and penalty: with ||S|| scaled to 1, penalties of 3 to 10 work well.
constexpr double relaxation = 1.6;
constexpr double first_penalty = 5;
constexpr int iterations_between_checks = 10;
constexpr int iterations_between_balancings = 20;
constexpr double balance_tolerance = 3;  // ratio of residuals that is left alone
constexpr double balance_step = 1.5;
constexpr double rank_threshold = 1e-6;
constexpr int matrices_held = 10;  // S, Q, X, N, the best X and N, and what an eigenproblem needs

void check_input(const MatrixXd& similarity, const SdpProgram& program, const SdpOptions& options) {
  const auto size = similarity.rows();
  const auto refuse = [](std::string found, std::string expected) {
    throw InputError({{}, std::move(found), std::move(expected), ""});
  };
  if (size < 1 || similarity.cols() != size) {
    refuse(fmt::format("a matrix of {} x {}", size, similarity.cols()), "a square matrix");
  }
  if (!similarity.allFinite()) refuse("a value that is not finite", "finite similarities");
  if (similarity != similarity.transpose())
    refuse("a matrix that is not symmetric", "a symmetric one");
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    if (clusters->count < 1 || clusters->count > size) {
      refuse(fmt::format("{} clusters", clusters->count), fmt::format("1 to {} clusters", size));
    }
  } else if (const double lambda = std::get<Lambda>(program).value;
             !(lambda >= 0) || !std::isfinite(lambda)) {
    refuse(fmt::format("lambda = {}", lambda), "a finite lambda of at least 0");
  }
  if (!(options.tolerance > 0)) refuse("a tolerance that is not positive", "a tolerance above 0");
}

double value_of(const MatrixXd& similarity, const MatrixXd& x, const SdpProgram& program) {
  const double inner = similarity.cwiseProduct(x).sum();
  const auto* lambda = std::get_if<Lambda>(&program);
  return lambda == nullptr ? inner : inner - lambda->value * x.trace();
}

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

/// The point 11'/n + V clip(w - tau, 0, 1) V' nearest to a matrix in the spectral set of the
/// program.
MatrixXd project(const MatrixXd& matrix, const SdpProgram& program, double scaled_lambda) {
  const auto size = matrix.rows();
  MatrixXd inner = centred(matrix);
  // The eigenvector 1 must not take part: it gets an eigenvalue below all others.
  const double far_below = -2 * (1 + inner.norm());
  inner.array() += far_below / static_cast<double>(size);
  const SymmetricEigen eigen = symmetric_eigen(std::move(inner));
  const auto* clusters = std::get_if<Clusters>(&program);
  const VectorXd values = eigen.values.tail(size - 1);
  const double tau =
      clusters != nullptr ? shift_for_trace(values, clusters->count - 1) : scaled_lambda;
  const VectorXd clipped = (values.array() - tau).max(0.0).min(1.0);
  const auto kept = static_cast<Eigen::Index>((clipped.array() > 0).count());
  const MatrixXd vectors =
      eigen.vectors.rightCols(kept) * clipped.tail(kept).cwiseSqrt().asDiagonal();
  MatrixXd x(size, size);
  x.setConstant(1.0 / static_cast<double>(size));
  x.noalias() += vectors * vectors.transpose();
  return x;
}

/// The iteration: one matrix Q of state, Z = max(Q, 0) and U = min(Q, 0).
class Splitting {
 public:
  Splitting(const MatrixXd& similarity, const SdpProgram& program, double scale)
      : similarity_(similarity), program_(program), scale_(scale) {
    const auto size = similarity.rows();
    q_ = MatrixXd::Identity(size, size);
  }

  void iterate() {
    const MatrixXd before = q_.cwiseMax(0.0);
    const auto* lambda = std::get_if<Lambda>(&program_);
    const double scaled_lambda = lambda == nullptr ? 0 : lambda->value / (penalty_ * scale_);
    x_ = project(q_.cwiseAbs() + similarity_ / (scale_ * penalty_), program_, scaled_lambda);
    q_ = relaxation * x_ + (1 - relaxation) * before + q_.cwiseMin(0.0);
    const MatrixXd after = q_.cwiseMax(0.0);
    primal_residual_ = (x_ - after).norm();
    dual_residual_ = (after - before).norm();
  }

  /// Keeps the two residuals of similar size; U is scaled by the penalty and follows it.
  void balance() {
    const double ratio = primal_residual_ / std::max(dual_residual_, 1e-300);
    double factor = 1;
    if (ratio > balance_tolerance) factor = balance_step;
    if (ratio < 1 / balance_tolerance) factor = 1 / balance_step;
    q_ = q_.cwiseMax(0.0) + q_.cwiseMin(0.0) / factor;
    penalty_ *= factor;
  }

  [[nodiscard]] const MatrixXd& x() const { return x_; }
  [[nodiscard]] MatrixXd dual() const { return -scale_ * penalty_ * q_.cwiseMin(0.0); }

 private:
  const MatrixXd& similarity_;
  const SdpProgram& program_;
  double scale_;
  double penalty_ = first_penalty;
  MatrixXd q_;
  MatrixXd x_;
  double primal_residual_ = 0;
  double dual_residual_ = 0;
};

double relative_gap(double objective, double bound) {
  const double difference = std::max(0.0, bound - objective);
  return difference == 0 ? 0 : difference / std::abs(objective);
}

/// What is known so far: the best feasible point and the best bound.
void improve(SdpResult& best, const MatrixXd& similarity, const SdpProgram& program,
             const MatrixXd& x, const MatrixXd& dual) {
  MatrixXd feasible = make_feasible(x);
  const double objective = value_of(similarity, feasible, program);
  if (best.x.size() == 0 || objective > best.objective) {
    best.objective = objective;
    best.x = std::move(feasible);
  }
  const double bound = upper_bound(similarity, dual, program);
  if (best.dual.size() == 0 || bound < best.upper_bound) {
    best.upper_bound = bound;
    best.dual = dual;
  }
  best.gap = relative_gap(best.objective, best.upper_bound);
}

SdpProgress progress_of(const SdpResult& result) {
  return {result.iterations, result.objective, result.upper_bound, result.gap};
}

/// Points that need no iteration: one cluster, all items apart, a zero similarity.
bool solve_directly(SdpResult& result, const MatrixXd& similarity, const SdpProgram& program) {
  const auto size = similarity.rows();
  const MatrixXd together = MatrixXd::Constant(size, size, 1.0 / static_cast<double>(size));
  const MatrixXd apart = MatrixXd::Identity(size, size);
  const MatrixXd none = MatrixXd::Zero(size, size);
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    if (clusters->count == 1) {
      improve(result, similarity, program, together, none);
      return true;
    }
    if (clusters->count == size) {
      // X = I is the only feasible point; no N proves it, the constraints do.
      result.x = apart;
      result.objective = result.upper_bound = similarity.trace();
      result.gap = 0;
      result.dual = none;
      return true;
    }
    if (similarity.isZero(0)) {
      const double a = (clusters->count - 1.0) / (static_cast<double>(size) - 1.0);
      improve(result, similarity, program, a * apart + (1 - a) * together, none);
      return true;
    }
    return false;
  }
  improve(result, similarity, program, together, none);
  improve(result, similarity, program, apart, none);
  return result.gap == 0 || similarity.isZero(0) || size == 1;
}

void describe_x(SdpResult& result) {
  result.trace = result.x.trace();
  result.eigenvalues = symmetric_eigenvalues(result.x).reverse();
  result.rank = static_cast<int>((result.eigenvalues.array() > rank_threshold).count());
  const auto k = std::clamp<Eigen::Index>(std::lround(result.trace), 1, result.x.rows());
  result.theta = result.eigenvalues.head(k).sum() / result.trace;
}

}  // namespace

std::string_view to_string(SdpStatus status) {
  switch (status) {
    case SdpStatus::solved:
      return "solved";
    case SdpStatus::iteration_limit:
      return "iteration limit";
    case SdpStatus::time_limit:
      return "time limit";
    case SdpStatus::stopped:
      return "stopped";
  }
  return "";
}

double sdp_memory(Eigen::Index items) {
  const auto size = static_cast<double>(items);
  return matrices_held * sizeof(double) * size * size;
}

SdpResult solve_sdp(const MatrixXd& similarity, const SdpProgram& program,
                    const SdpOptions& options) {
  check_input(similarity, program, options);
  const auto started = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  SdpResult result;
  if (!solve_directly(result, similarity, program)) {
    const VectorXd values = symmetric_eigenvalues(similarity);
    Splitting splitting(similarity, program, values.cwiseAbs().maxCoeff());
    std::optional<SdpStatus> ended;
    while (!ended) {
      splitting.iterate();
      ++result.iterations;
      if (options.progress && !options.progress(progress_of(result))) ended = SdpStatus::stopped;
      if (seconds() > options.most_seconds) ended = SdpStatus::time_limit;
      if (result.iterations >= options.most_iterations) ended = SdpStatus::iteration_limit;
      if (ended || result.iterations % iterations_between_checks == 0) {
        improve(result, similarity, program, splitting.x(), splitting.dual());
        if (result.gap <= options.tolerance) ended = SdpStatus::solved;
      }
      if (result.iterations % iterations_between_balancings == 0) splitting.balance();
    }
    result.status = *ended;
  }
  describe_x(result);
  result.seconds = seconds();
  return result;
}

}  // namespace tertium
