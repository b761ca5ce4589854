#include "tertium/certificate/cancelled_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tertium/core/random.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/krylov.hpp"
#include "tertium/spectral/positive_definite.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Measured: see bench/bounds.py for the problems.

/// Of what the row sums allow, so much goes to the negative entries.
constexpr double share = 0.9;
constexpr int edge_block = 4;
/// Steps that show the edge of the noise, round by round, to some percent in the end: it is
/// between once ...
constexpr std::array steps_for_edge{12, 24};
/// ... and so many times what they show, with what the random start will leave open.
constexpr double highest_edge = 1.08;
/// Steps from the clusters to the leading eigenvectors.
constexpr int steps_to_leading = 8;
constexpr int most_edge_steps = 120;
/// What a random start leaves open may come to this share of the gap, and of the value.
constexpr double open_share_of_gap = 0.1;
constexpr double open_share_of_value = 1e-4;
/// Checkers find other leading vectors and other eigenvalues: the claim leaves them this share of
/// the gap and of the value.
constexpr double room_share_of_gap = 0.02;
constexpr double room_share_of_value = 1e-8;
/// How far above the largest Ritz value a dense proof is tried, as shares of it.
constexpr std::array<double, 4> proof_margins{1e-4, 1e-3, 1e-2, 1e-1};
constexpr double least_margin = 1e-9;  // beyond what rounding can do

/// Where S + N is best on the space orthogonal to 1: nearly invariant, so that the rest hardly
/// couples to it.
struct Leading {
  MatrixXd basis;       // 1 and then V, orthonormal
  VectorXd values;      // eigenvalues of V'AV
  double coupling = 0;  // | the part of AV orthogonal to both |

  /// At least the sum of the k - 1 largest eigenvalues, if no other is above `most`.
  [[nodiscard]] double sum(double most) const {
    if (coupling == 0) return values.cwiseMax(most).sum();
    double least = std::numeric_limits<double>::infinity();
    constexpr double widest = 1e6;
    for (double d = coupling / widest; d < coupling * widest; d *= 1.1) {
      least = std::min(least, (values.array() + d).max(most + coupling * coupling / d).sum());
    }
    return least;
  }
};

class Bounding {
 public:
  Bounding(const SparseMap& similarity, const Labels& labels, const CertifyOptions& options,
           Run& run)
      : similarity_(similarity),
        witness_(similarity, labels, run),
        negative_(negative_sums(similarity, labels, witness_.clusters(), run)),
        options_(options),
        run_(run),
        others_(witness_.clusters() - 1) {}

  CancelledBound run() {
    CancelledBound result;
    result.labels = witness_.labels();
    result.value = partition_value(similarity_, result.labels, run_);
    result.share = share;
    // N changes with lambda, and with it the edge of the noise.
    double edge = edge_of(similarity_, steps_for_edge.front());
    for (const int steps : steps_for_edge) {
      const double lambda = best_lambda(edge);
      edge = edge_of(CancelledMap(similarity_, witness_, negative_, lambda, share, run_), steps);
    }
    result.lambda = best_lambda(edge);
    // Below the upper end no u is negative, and the bound may be the value itself.
    const double inside =
        witness_.highest() - std::max(4 * witness_.highest_error(), 1e-9 * std::abs(edge));
    may_be_tight_ = edge < inside;
    if (may_be_tight_) result.lambda = std::min(result.lambda, inside);
    const CancelledMap map(similarity_, witness_, negative_, result.lambda, share, run_);
    const Leading leading = leading_of(map);
    const double base = base_of(map);
    double bound = std::numeric_limits<double>::infinity();
    if (static_cast<std::size_t>(similarity_.size()) <= options_.most_items_proved) {
      bound = base + proved_sum(map, leading);
      result.level = Evidence::proved;
    }
    if (!std::isfinite(bound)) {
      bound = base + leading.sum(rest_below(map, leading, base, result.value));
      result.level = Evidence::probabilistic;
      result.failure_probability = options_.failure_probability;
    }
    const double scale = std::abs(bound) + std::abs(base) + std::abs(result.value);
    result.upper_bound =
        bound + room_share_of_gap * std::abs(bound - result.value) + room_share_of_value * scale;
    return result;
  }

 private:
  /// The largest eigenvalue on the vectors that sum to 0 over each cluster, nearly.
  [[nodiscard]] double edge_of(const SymmetricMap& map, int steps) const {
    run_.check();
    KrylovOptions krylov;
    krylov.block = edge_block;
    krylov.most_steps = steps;
    krylov.random = run_.stream("bound", 0);
    return leading_eigenpairs(ProjectedMap(map, witness_.labels()), 0, krylov, run_).range.top;
  }

  /// 1'(S + N)1/n, rounded up.
  [[nodiscard]] double base_of(const CancelledMap& map) const {
    const double sum_of_s = witness_.sizes().dot(witness_.block_means() * witness_.sizes());
    const double rounding = epsilon * static_cast<double>(similarity_.nonzeros() + 64) *
                            (map.sum_of_n() + std::abs(sum_of_s));
    return (sum_of_s + map.sum_of_n() + rounding) / static_cast<double>(similarity_.size());
  }

  /// What to expect of the bound if the eigenvalues on the clusters are lambda and the others go up
  /// to anything from once to `highest_edge` times `edge`, all equally likely: convex in lambda,
  /// O(nk).
  [[nodiscard]] double expected(double lambda, double edge) const {
    const VectorBlock u = witness_.row_sums(lambda).cwiseMax(0);
    MatrixXd sums = MatrixXd::Zero(u.cols(), u.cols());
    for (Index i = 0; i < u.rows(); ++i) {
      sums.row(witness_.labels()[static_cast<std::size_t>(i)]) += u.row(i);
    }
    double larger = std::max(lambda, edge);
    const double highest = highest_edge * edge;
    if (lambda < highest && highest > edge) {
      const double above = std::max(0.0, lambda - edge);
      larger = (edge + highest) / 2 + above * above / (2 * (highest - edge));
    }
    return sums.cwiseMin(sums.transpose()).sum() / static_cast<double>(similarity_.size()) +
           others_ * larger;
  }

  /// By golden section.
  [[nodiscard]] double best_lambda(double edge) const {
    constexpr double golden = 0.381966;
    constexpr int steps = 24;  // to 1e-5
    double low = 0;
    double high = 2 * std::abs(edge);
    for (int step = 0; step < steps; ++step) {
      const double a = low + golden * (high - low);
      const double b = high - golden * (high - low);
      if (expected(a, edge) <= expected(b, edge)) {
        high = b;
      } else {
        low = a;
      }
    }
    return (low + high) / 2;
  }

  [[nodiscard]] Leading leading_of(const CancelledMap& map) const {
    const Index size = similarity_.size();
    const CentredMap centred(map);
    KrylovOptions krylov;
    krylov.block = others_;
    krylov.most_steps = steps_to_leading;
    krylov.random = run_.stream("bound", 1);
    krylov.start = MatrixXd::Zero(size, others_);
    for (std::size_t i = 0; i < witness_.labels().size(); ++i) {
      const auto label = witness_.labels()[i];
      if (label < others_) krylov.start(static_cast<Index>(i), label) = 1;
    }
    const VectorBlock v = leading_eigenpairs(centred, others_, krylov, run_).vectors;
    VectorBlock image;
    centred.multiply(v, image, run_);
    const MatrixXd inside = v.transpose() * image;
    Leading leading;
    leading.basis.resize(size, others_ + 1);
    leading.basis.col(0).setConstant(1 / std::sqrt(static_cast<double>(size)));
    leading.basis.rightCols(others_) = v;
    leading.values = symmetric_eigenvalues((inside + inside.transpose()) / 2);
    const MatrixXd rest = image - v * inside;
    const double squared = symmetric_eigenvalues(rest.transpose() * rest)[others_ - 1];
    leading.coupling = std::sqrt(std::max(0.0, squared));
    return leading;
  }

  /// An upper bound on all other eigenvalues, but for a small probability.
  [[nodiscard]] double rest_below(const CancelledMap& map, const Leading& leading, double base,
                                  double value) const {
    const ComplementMap rest(map, leading.basis);
    const auto bound = [&](const RitzRange& range) {
      return largest_eigenvalue(range, similarity_.size(), edge_block, options_.failure_probability)
          .upper;
    };
    KrylovOptions krylov;
    krylov.block = edge_block;
    krylov.most_steps = most_edge_steps;
    krylov.random = run_.stream("bound", 2);
    krylov.enough = [&](const RitzRange& range) {
      run_.check();
      const double reached = leading.sum(range.top);
      const double open = leading.sum(bound(range)) - reached;
      if (may_be_tight_ && leading.values[0] > range.top) return open == 0;
      return open <= std::max(open_share_of_gap * (base + reached - value),
                              open_share_of_value * std::abs(value));
    };
    const KrylovResult found = leading_eigenpairs(rest, 0, krylov, run_);
    return found.complete ? found.range.top : bound(found.range);
  }

  /// At least the sum of the k - 1 largest eigenvalues, proved; infinite if that fails.
  [[nodiscard]] double proved_sum(const CancelledMap& map, const Leading& leading) const {
    MatrixXd inner = to_dense(map);
    centre(inner);
    const MatrixXd v = leading.basis.rightCols(others_);
    KrylovOptions krylov;
    krylov.block = edge_block;
    krylov.most_steps = steps_for_edge.back();
    krylov.random = run_.stream("bound", 3);
    const RitzRange range =
        leading_eigenpairs(ComplementMap(map, leading.basis), 0, krylov, run_).range;
    const double scale = std::max(std::abs(range.top), range.top - range.lowest);
    MatrixXd work;
    for (const double margin : proof_margins) {
      const double most = range.top + margin * scale;
      // V is in decreasing order of the values. What they exceed `most` by is taken away, and as
      // much more as couples V to the rest.
      const double more =
          4 * leading.coupling * leading.coupling / (margin * scale) + least_margin * scale;
      const VectorXd weights = (leading.values.reverse().array() - most).max(0.0) + more;
      if (!is_proved_dominated(inner, most, v, weights, work)) continue;
      const double excess = (v.colwise().squaredNorm() * weights).value();
      const double sum = others_ * most + excess;
      return sum + 16 * epsilon * (others_ * std::abs(most) + excess);
    }
    return std::numeric_limits<double>::infinity();
  }

  const SparseMap& similarity_;
  Witness witness_;
  VectorBlock negative_;
  const CertifyOptions& options_;
  Run& run_;
  int others_;
  bool may_be_tight_ = false;  // the bound may be the value of the partition
};

}  // namespace

CancelledBound bound_by_cancelling(const SparseMap& similarity, const Labels& labels,
                                   const CertifyOptions& options, Run& run) {
  return Bounding(similarity, labels, options, run).run();
}

}  // namespace tertium::internal
