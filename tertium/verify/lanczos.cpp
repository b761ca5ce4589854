#include "tertium/verify/lanczos.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <random>
#include <system_error>

#include <Eigen/Eigenvalues>
#include <unistd.h>

#include "tertium/error.hpp"
#include "tertium/verify/rounding.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The bound is looked at after these numbers of steps only, since each look takes a share of the
/// failure probability.
constexpr std::array looks = {32, 64, 128, 256, 512};

class CentredOperator : public RestrictedMatrix {
 public:
  CentredOperator(const IntegerTriangle& similarity, const Partition& partition,
                  const Multipliers& multipliers)
      : similarity_(similarity), partition_(partition), multipliers_(multipliers) {}

  [[nodiscard]] Index size() const override { return partition_.to_cluster.rows(); }
  [[nodiscard]] Index dimension() const override { return size() - partition_.size.size(); }

  /// P v.
  void project(VectorXd& v) const override {
    VectorXd mean = VectorXd::Zero(partition_.size.size());
    for (Index i = 0; i < size(); ++i) mean(cluster(i)) += v(i);
    mean.array() /= partition_.size.array();
    for (Index i = 0; i < size(); ++i) v(i) -= mean(cluster(i));
  }

  /// P (S + Gamma) v for a v in the range of P.
  [[nodiscard]] VectorXd apply(const VectorXd& v) const override {
    VectorXd result = VectorXd::Zero(size());
    for (Index i = 0; i < size(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      double sum = 0;
      for (std::size_t at = similarity_.row_start[row]; at < similarity_.row_start[row + 1]; ++at) {
        const auto value = static_cast<double>(similarity_.value[at]);
        sum += value * v(similarity_.column[at]);
        result(similarity_.column[at]) += value * v(i);
      }
      result(i) += sum;
    }
    result /= static_cast<double>(similarity_.denominator);
    add_gamma(v, result);
    project(result);
    return result;
  }

 private:
  [[nodiscard]] Index cluster(Index i) const {
    return static_cast<Index>(partition_.cluster[static_cast<std::size_t>(i)]);
  }

  void add_gamma(const VectorXd& v, VectorXd& result) const {
    const Index k = partition_.size.size();
    const MatrixXd& u = multipliers_.u;
    MatrixXd along = MatrixXd::Zero(k, k);  // (j,l): the sum of u_r^j v_r over r in l, over t_jl
    for (Index j = 0; j < k; ++j) {
      for (Index r = 0; r < size(); ++r) along(j, cluster(r)) += u(r, j) * v(r);
    }
    for (Index l = 0; l < k; ++l) {
      for (Index j = 0; j < k; ++j) {
        if (j != l) along(j, l) /= multipliers_.t(j, l);
      }
    }
    for (Index l = 0; l < k; ++l) {
      for (Index i = 0; i < size(); ++i) result(i) += u(i, l) * along(cluster(i), l);
    }
  }

  const IntegerTriangle& similarity_;
  const Partition& partition_;
  const Multipliers& multipliers_;
};

/// The basis and the tridiagonal matrix, one step at a time.
class Lanczos {
 public:
  Lanczos(const RestrictedMatrix& matrix, std::uint64_t seed, Index most_steps)
      : matrix_(matrix), basis_(matrix.size(), most_steps) {
    std::seed_seq seeds{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)};
    random_.seed(seeds);
    next_ = random_direction();
  }

  [[nodiscard]] Index steps() const { return steps_; }

  void step() {
    basis_.col(steps_) = next_;
    ++steps_;
    VectorXd image = matrix_.apply(next_);
    diagonal_.push_back(next_.dot(image));
    scale_ = std::max(scale_, image.norm());
    orthogonalise(image);
    double beta = image.norm();
    // The space is invariant: all that the start can see was seen. The steps that are left look for
    // what it may have missed, from a new direction.
    if (beta <= static_cast<double>(matrix_.size()) * epsilon * scale_) {
      beta = 0;
      if (steps_ < matrix_.dimension()) next_ = random_direction();
    } else {
      next_ = image / beta;
    }
    beside_.push_back(beta);
  }

  /// The smallest and the largest Ritz value.
  [[nodiscard]] std::pair<double, double> ritz_values() const {
    const VectorXd diagonal = Eigen::Map<const VectorXd>(diagonal_.data(), steps_);
    const VectorXd beside = Eigen::Map<const VectorXd>(beside_.data(), steps_ - 1);
    Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
    return {solver.eigenvalues()(0), solver.eigenvalues()(steps_ - 1)};
  }

 private:
  /// Twice is enough to be orthogonal to machine precision.
  void orthogonalise(VectorXd& v) const {
    for (int round = 0; round < 2; ++round) {
      const VectorXd overlap = basis_.leftCols(steps_).transpose() * v;
      v.noalias() -= basis_.leftCols(steps_) * overlap;
      matrix_.project(v);
    }
  }

  /// Uniform on the unit sphere of the range of P, orthogonal to the basis so far.
  [[nodiscard]] VectorXd random_direction() {
    std::normal_distribution<double> normal;
    VectorXd v(matrix_.size());
    for (double& entry : v) entry = normal(random_);
    matrix_.project(v);
    orthogonalise(v);
    return v / v.norm();
  }

  const RestrictedMatrix& matrix_;
  MatrixXd basis_;
  VectorXd next_;
  std::vector<double> diagonal_;
  std::vector<double> beside_;
  Index steps_ = 0;
  double scale_ = 0;
  std::mt19937_64 random_;
};

/// The relative error that is exceeded with a probability of at most `probability` at either end.
double relative_error(Index steps, Index dimension, double probability) {
  const double root =
      std::log(2 * 1.648 * std::sqrt(static_cast<double>(dimension)) / probability) /
      static_cast<double>(2 * steps - 1);
  return root * root;
}

}  // namespace

std::uint64_t fresh_seed() {
  std::uint64_t seed = 0;
  if (::getentropy(&seed, sizeof seed) != 0) {
    throw std::system_error(errno, std::generic_category(), "no entropy from the system");
  }
  return seed >> 1U;  // fits in every signed type that may carry it
}

LargestEigenvalue bound_largest_eigenvalue(const RestrictedMatrix& matrix, double limit,
                                           double error, double failure_probability,
                                           std::uint64_t seed, const Progress& progress) {
  const Index dimension = matrix.dimension();
  const Index most_steps = std::min<Index>(looks.back(), dimension);
  Lanczos lanczos(matrix, seed, most_steps);
  LargestEigenvalue result;
  for (const int look : looks) {
    const Index target = std::min<Index>(look, dimension);
    while (lanczos.steps() < target) {
      lanczos.step();
      if (progress && !progress({static_cast<std::uint64_t>(lanczos.steps()),
                                 static_cast<std::uint64_t>(most_steps)})) {
        throw Cancelled();
      }
    }
    const auto [smallest, largest] = lanczos.ritz_values();
    const double rounding = 4 * static_cast<double>(matrix.size()) * epsilon *
                                std::max(std::abs(smallest), std::abs(largest)) +
                            error;
    result.steps = static_cast<int>(lanczos.steps());
    result.at_least = largest;
    result.at_most.reset();
    const double share = failure_probability / static_cast<double>(looks.size());
    const double missed = target == dimension ? 0 : relative_error(target, dimension, share);
    if (missed < 0.5) {
      result.at_most = largest + missed * (largest - smallest) / (1 - 2 * missed) + rounding;
    }
    const bool below = result.at_most && *result.at_most < limit;
    const bool above = largest - rounding >= limit;
    if (below || above || target == dimension) break;
  }
  return result;
}

LargestEigenvalue bound_largest_eigenvalue(const IntegerTriangle& similarity,
                                           const Partition& partition,
                                           const Multipliers& multipliers,
                                           double failure_probability, std::uint64_t seed,
                                           const Progress& progress) {
  return bound_largest_eigenvalue(CentredOperator(similarity, partition, multipliers),
                                  multipliers.lambda, multipliers.gamma_error, failure_probability,
                                  seed, progress);
}

}  // namespace tertium::internal::verifying
