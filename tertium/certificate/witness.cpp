#include "tertium/certificate/witness.hpp"

#include <cmath>
#include <limits>

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

Index index(std::size_t i) { return static_cast<Index>(i); }

}  // namespace

Witness::Witness(const SparseMap& similarity, Labels labels, Run& run)
    : labels_(std::move(labels)),
      clusters_(count_clusters(labels_)),
      sizes_(clusters_),
      means_(index(labels_.size()), clusters_),
      blocks_(MatrixXd::Zero(clusters_, clusters_)),
      highest_(std::numeric_limits<double>::infinity()) {
  const ClusterSums sums(similarity, labels_, clusters_, run);
  const double denominator = similarity.denominator();
  for (int l = 0; l < clusters_; ++l) sizes_[l] = static_cast<double>(sums.size_of(l));
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    for (int l = 0; l < clusters_; ++l) {
      means_(index(i), l) = static_cast<double>(sums.to_cluster(i, l)) / (sizes_[l] * denominator);
    }
  }
  const std::vector<std::int64_t> between = sums.between();
  for (int j = 0; j < clusters_; ++j) {
    for (int l = 0; l < clusters_; ++l) {
      const auto sum = between[static_cast<std::size_t>(j) * static_cast<std::size_t>(clusters_) +
                               static_cast<std::size_t>(l)];
      blocks_(j, l) = static_cast<double>(sum) / (sizes_[j] * sizes_[l] * denominator);
    }
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const int j = labels_[i];
    for (int l = 0; l < clusters_; ++l) {
      if (l == j) continue;
      const double margin = means_(index(i), j) - means_(index(i), l);
      const double offset = (blocks_(l, l) - blocks_(j, j)) / 2;
      const double price = 1 / (2 * sizes_[j]) + 1 / (2 * sizes_[l]);
      highest_ = std::min(highest_, (margin + offset) / price);
      const double terms = std::abs(means_(index(i), j)) + std::abs(means_(index(i), l)) +
                           (std::abs(blocks_(l, l)) + std::abs(blocks_(j, j))) / 2;
      scale_ = std::max(scale_, terms / price);
    }
  }
}

double Witness::highest_error() const {
  constexpr double roundings = 32;
  return roundings * std::numeric_limits<double>::epsilon() * scale_;
}

MatrixXd Witness::row_sums(double lambda) const {
  MatrixXd u = MatrixXd::Zero(means_.rows(), clusters_);
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const int j = labels_[i];
    for (int l = 0; l < clusters_; ++l) {
      if (l == j) continue;
      const double price = 1 / (2 * sizes_[j]) + 1 / (2 * sizes_[l]);
      u(index(i), l) = sizes_[l] * (means_(index(i), j) - means_(index(i), l) +
                                    (blocks_(l, l) - blocks_(j, j)) / 2 - lambda * price);
    }
  }
  return u;
}

MatrixXd Witness::totals(double lambda) const {
  MatrixXd t(clusters_, clusters_);
  for (int j = 0; j < clusters_; ++j) {
    for (int l = 0; l < clusters_; ++l) {
      // The sum of u_i^l over i in j, with the means over j already summed: symmetric in j and l.
      t(j, l) = sizes_[j] * sizes_[l] * ((blocks_(j, j) + blocks_(l, l)) / 2 - blocks_(j, l)) -
                lambda * (sizes_[j] + sizes_[l]) / 2;
    }
    t(j, j) = 0;
  }
  return t;
}

MatrixXd Witness::matrix(double lambda) const {
  const MatrixXd u = row_sums(lambda);
  const MatrixXd t = totals(lambda);
  const Index size = u.rows();
  MatrixXd gamma = MatrixXd::Zero(size, size);
  for (Index r = 0; r < size; ++r) {
    const auto l = labels_[static_cast<std::size_t>(r)];
    for (Index i = 0; i < r; ++i) {
      const auto j = labels_[static_cast<std::size_t>(i)];
      if (j != l) gamma(i, r) = gamma(r, i) = u(i, l) * u(r, j) / t(j, l);
    }
  }
  return gamma;
}

double Witness::change(double a, double b) const {
  VectorBlock centred = row_sums(b);  // the centred u do not depend on lambda
  project(centred);
  MatrixXd squares = MatrixXd::Zero(clusters_, clusters_);
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    squares.row(labels_[i]).array() += centred.row(index(i)).array().square();
  }
  const MatrixXd at_a = totals(a);
  const MatrixXd at_b = totals(b);
  double sum = 0;  // the Frobenius norm of the blocks' norms bounds the norm of the whole
  for (int j = 0; j < clusters_; ++j) {
    for (int l = 0; l < clusters_; ++l) {
      if (l == j) continue;
      const double difference = 1 / at_a(j, l) - 1 / at_b(j, l);
      sum += squares(j, l) * squares(l, j) * difference * difference;
    }
  }
  return std::sqrt(sum);
}

GammaMap::GammaMap(const Witness& witness, double lambda)
    : witness_(witness), u_(witness.row_sums(lambda)), t_(witness.totals(lambda)) {
  witness.project(u_);
}

void GammaMap::multiply(const VectorBlock& x, VectorBlock& y, Run& /*run*/) const {
  const Labels& labels = witness_.labels();
  const int clusters = witness_.clusters();
  // z(l, j): the sum over r in l of u_r^j x_r, for each vector.
  std::vector<MatrixXd> z(static_cast<std::size_t>(clusters));
  for (auto& rows : z) rows = MatrixXd::Zero(clusters, x.cols());
  for (std::size_t r = 0; r < labels.size(); ++r) {
    z[static_cast<std::size_t>(labels[r])].noalias() +=
        u_.row(index(r)).transpose() * x.row(index(r));
  }
  y = VectorBlock::Zero(x.rows(), x.cols());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int j = labels[i];
    for (int l = 0; l < clusters; ++l) {
      if (l == j) continue;
      y.row(index(i)) += u_(index(i), l) / t_(j, l) * z[static_cast<std::size_t>(l)].row(j);
    }
  }
}

Eigen::VectorXd GammaMap::row(Index i) const {
  Eigen::VectorXd entries = Eigen::VectorXd::Zero(size());
  const Labels& labels = witness_.labels();
  const auto j = labels[static_cast<std::size_t>(i)];
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const auto l = labels[r];
    if (l != j) entries[index(r)] = u_(i, l) * u_(index(r), j) / t_(j, l);
  }
  return entries;
}

}  // namespace tertium::internal
