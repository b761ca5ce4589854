#include "tertium/sdp/bound.hpp"

#include <algorithm>
#include <limits>

#include "tertium/spectral/positive_definite.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"
#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// The margin is a share of the slack, per eigenvalue, and grows from attempt to attempt. The first
/// attempt nearly always succeeds: half and double of any of the three change neither bound nor
/// time.
constexpr int attempts = 4;
constexpr double margin_share = 0.25;
constexpr double growth = 4;

/// 1'A1/n, rounded up: sums of n numbers, twice.
double mean_row_sum(const MatrixXd& sum) {
  const auto size = static_cast<double>(sum.rows());
  const double total = sum.colwise().sum().sum();
  return total / size + 2 * epsilon * sum.cwiseAbs().sum();
}

}  // namespace

double upper_bound(const MatrixXd& similarity, const MatrixXd& dual, const SdpProgram& program) {
  const MatrixXd sum = similarity + dual;
  const auto size = static_cast<double>(sum.rows());
  MatrixXd inner = sum;
  centre(inner);
  // The eigenvector 1 of the centred matrix is no part of the space: its eigenvalue 0 goes below
  // all others, and is left out.
  inner.array() -= 2 * inner.norm() / size;
  const VectorXd values = symmetric_eigenvalues(inner).tail(sum.rows() - 1);
  const double error = eigenvalue_error_bound(inner) + eigenvalue_error_bound(sum);
  double bound = mean_row_sum(sum);
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    bound += values.tail(clusters->count - 1).sum() + clusters->count * error;
  } else {
    const double lambda = std::get<Lambda>(program).value;
    bound -= lambda;
    for (const double value : values) bound += std::max(0.0, value + error - lambda);
    bound += error;
  }
  return bound;
}

BoundProver::BoundProver(const MatrixXd& similarity, int clusters, Run& run)
    : similarity_(similarity), others_(clusters - 1), subspace_(similarity.rows(), run) {}

double BoundProver::bound(const MatrixXd& dual, double limit, double slack) {
  inner_ = similarity_ + dual;
  const double base = mean_row_sum(inner_);
  if (others_ == 0) return base;
  centre(inner_);
  const auto count = static_cast<double>(others_);
  double margin = margin_share * slack / count;
  // One eigenvalue more than the bound sums up: the others lie below it.
  subspace_.update(inner_, margin, [&](const VectorXd& values) {
    return values[std::min(others_, values.size() - 1)] - margin / 4;
  });
  const VectorXd& values = subspace_.values();
  if (values.size() <= others_) return std::numeric_limits<double>::infinity();
  // Ritz values are at most the eigenvalues: the true bound is at least this.
  if (base + values.head(others_).sum() > limit) return std::numeric_limits<double>::infinity();
  const MatrixXd vectors = subspace_.vectors().leftCols(others_);
  for (int attempt = 0; attempt < attempts; ++attempt, margin *= growth) {
    const double mu = values[others_] + margin;
    const VectorXd weights = (values.head(others_).array() - mu).max(0.0) + margin / 4;
    if (!is_proved_dominated(inner_, mu, vectors, weights, shifted_)) continue;
    const double excess = (vectors.colwise().squaredNorm() * weights).value();
    const double sum = base + count * mu + excess;
    return sum + 16 * epsilon * (std::abs(base) + count * std::abs(mu) + excess);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace tertium::internal
