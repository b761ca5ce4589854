#include "tertium/sdp/warm_start.hpp"

#include <algorithm>
#include <vector>

#include "tertium/core/random.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/krylov.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The start is improved by the iteration anyway: two digits are enough. On 18 programs of 26 to
/// 700 items, iterations at half and double of each number differ by at most 7 %, either way.
constexpr int balancing_sweeps = 3;
constexpr int newton_steps = 2;
constexpr int fixpoint_steps = 4;
constexpr double fixpoint_accuracy = 0.02;
/// The iteration lowers lambda from here: a start a little below the fixpoint saves it steps, where
/// the partition is nearly optimal. Half starts as well; at double the bound is 3e-4 worse there.
constexpr double start_share = 0.9;
constexpr int krylov_block = 2;
constexpr int krylov_steps = 16;

using Members = std::vector<std::vector<Index>>;

Members members_of(const Labels& labels) {
  Members members(static_cast<std::size_t>(count_clusters(labels)));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  return members;
}

/// Means M (n x k) and B (k x k) of S, in the notation of docs/certificate.md.
struct Means {
  MatrixXd items;
  MatrixXd blocks;
};

Means means_of(const MatrixXd& similarity, const Labels& labels, const Members& members, Run& run) {
  const auto clusters = static_cast<Index>(members.size());
  Means means;
  means.items = DenseMap(similarity).cluster_sums(labels, static_cast<int>(clusters), run);
  means.blocks = MatrixXd::Zero(clusters, clusters);
  for (Index l = 0; l < clusters; ++l) {
    means.items.col(l) /= static_cast<double>(members[static_cast<std::size_t>(l)].size());
  }
  for (Index j = 0; j < clusters; ++j) {
    const auto& cluster = members[static_cast<std::size_t>(j)];
    for (const Index i : cluster) means.blocks.row(j) += means.items.row(i);
    means.blocks.row(j) /= static_cast<double>(cluster.size());
  }
  return means;
}

/// Adds to `shift` what makes the sums over `others` of max(0, shift + other_shift - S) come to
/// `target`, by Newton's method on a piecewise linear, increasing function.
double balanced(double shift, double target, const double* column, const std::vector<Index>& others,
                const VectorXd& other_shift) {
  for (int step = 0; step < newton_steps; ++step) {
    double sum = 0;
    double positive = 0;
    for (std::size_t r = 0; r < others.size(); ++r) {
      const double entry = shift + other_shift[static_cast<Index>(r)] - column[others[r]];
      sum += std::max(entry, 0.0);
      positive += entry > 0 ? 1.0 : 0.0;
    }
    shift += (target - sum) / std::max(positive, 1.0);
  }
  return shift;
}

class DualStart {
 public:
  DualStart(const MatrixXd& similarity, const Labels& labels, Run& run)
      : similarity_(similarity), labels_(labels), members_(members_of(labels)), run_(run) {
    means_ = means_of(similarity, labels, members_, run);
  }

  [[nodiscard]] MatrixXd at(double lambda) const {
    MatrixXd dual = MatrixXd::Zero(similarity_.rows(), similarity_.cols());
    for (std::size_t j = 0; j < members_.size(); ++j) {
      for (std::size_t l = 0; l < j; ++l) fill_block(dual, j, l, lambda);
    }
    return dual;
  }

  /// The largest eigenvalue of P (S + N) P, estimated.
  [[nodiscard]] double top(const MatrixXd& dual) const {
    const DenseMap first(similarity_);
    const DenseMap second(dual);
    const SumMap sum({{1, &first}, {1, &second}});
    KrylovOptions options;
    options.block = krylov_block;
    options.most_steps = krylov_steps;
    options.random = run_.stream("warm start");
    return leading_eigenpairs(ProjectedMap(sum, labels_), 0, options, run_).range.top;
  }

  [[nodiscard]] MatrixXd point() const {
    MatrixXd x = MatrixXd::Zero(similarity_.rows(), similarity_.cols());
    for (const auto& cluster : members_) {
      const double entry = 1 / static_cast<double>(cluster.size());
      for (const Index i : cluster) {
        for (const Index j : cluster) x(i, j) = entry;
      }
    }
    return x;
  }

 private:
  /// u_i^l for i in cluster j, cut off at 0.
  [[nodiscard]] VectorXd row_sums(std::size_t j, std::size_t l, double lambda) const {
    const auto& from = members_[j];
    const auto size_j = static_cast<double>(from.size());
    const auto size_l = static_cast<double>(members_[l].size());
    const auto jj = static_cast<Index>(j);
    const auto ll = static_cast<Index>(l);
    const double offset = (means_.blocks(ll, ll) - means_.blocks(jj, jj)) / 2 -
                          lambda * (1 / (2 * size_j) + 1 / (2 * size_l));
    VectorXd u(static_cast<Index>(from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double margin = means_.items(from[i], jj) - means_.items(from[i], ll);
      u[static_cast<Index>(i)] = std::max(0.0, size_l * (margin + offset));
    }
    return u;
  }

  void fill_block(MatrixXd& dual, std::size_t j, std::size_t l, double lambda) const {
    const auto& rows = members_[j];
    const auto& columns = members_[l];
    const VectorXd row_targets = row_sums(j, l, lambda);
    const VectorXd column_targets = row_sums(l, j, lambda);
    VectorXd row_shift = VectorXd::Zero(row_targets.size());
    VectorXd column_shift = VectorXd::Zero(column_targets.size());
    const auto balance = [&](VectorXd& shift, const VectorXd& targets,
                             const std::vector<Index>& own, const std::vector<Index>& others,
                             const VectorXd& other_shift) {
      for (std::size_t i = 0; i < own.size(); ++i) {
        const auto at = static_cast<Index>(i);
        shift[at] =
            balanced(shift[at], targets[at], similarity_.col(own[i]).data(), others, other_shift);
      }
    };
    for (int sweep = 0; sweep < balancing_sweeps; ++sweep) {
      balance(row_shift, row_targets, rows, columns, column_shift);
      balance(column_shift, column_targets, columns, rows, row_shift);
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double shift = column_shift[static_cast<Index>(c)];
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double entry = std::max(
            0.0, row_shift[static_cast<Index>(r)] + shift - similarity_(rows[r], columns[c]));
        dual(rows[r], columns[c]) = entry;
        dual(columns[c], rows[r]) = entry;
      }
    }
  }

  const MatrixXd& similarity_;
  const Labels& labels_;
  Members members_;
  Means means_;
  Run& run_;
};

}  // namespace

WarmStart warm_start(const MatrixXd& similarity, const Labels& labels, const SdpProgram& program,
                     Run& run) {
  const DualStart start(similarity, labels, run);
  const auto* lambda = std::get_if<Lambda>(&program);
  MatrixXd dual = start.at(lambda == nullptr ? 0 : lambda->value);
  if (lambda == nullptr) {
    double at = 0;
    for (int step = 0; step < fixpoint_steps; ++step) {
      const double top = start.top(dual);
      if (std::abs(top - at) <= fixpoint_accuracy * std::abs(top)) break;
      at = top;
      dual = start.at(at);
    }
    dual = start.at(start_share * at);
  }
  return {start.point(), std::move(dual)};
}

}  // namespace tertium::internal
