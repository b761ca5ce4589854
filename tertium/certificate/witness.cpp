#include "tertium/certificate/witness.hpp"

#include <cmath>
#include <limits>
#include <memory>

namespace tertium {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

Index index(std::size_t i) { return static_cast<Index>(i); }

/// The sum of `block` over each cluster, k x columns.
MatrixXd cluster_totals(const Labels& labels, int clusters, const VectorBlock& block) {
  MatrixXd totals = MatrixXd::Zero(clusters, block.cols());
  for (std::size_t i = 0; i < labels.size(); ++i) totals.row(labels[i]) += block.row(index(i));
  return totals;
}

}  // namespace

Witness::Witness(const SymmetricRows& similarity, Labels labels)
    : similarity_(&similarity),
      labels_(std::move(labels)),
      clusters_(count_clusters(labels_)),
      sizes_(clusters_),
      means_(index(labels_.size()), clusters_),
      blocks_(MatrixXd::Zero(clusters_, clusters_)),
      highest_(std::numeric_limits<double>::infinity()) {
  const ClusterSums sums(similarity, labels_, clusters_);
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

void Witness::project(VectorBlock& block) const {
  MatrixXd totals = cluster_totals(labels_, clusters_, block);
  totals.array().colwise() /= sizes_.array();
  for (std::size_t i = 0; i < labels_.size(); ++i) block.row(index(i)) -= totals.row(labels_[i]);
}

BlockProduct Witness::product(double lambda) const {
  // P acts on both sides, so that the centred u do as well as u itself.
  VectorBlock centred = row_sums(lambda);
  project(centred);
  const auto u = std::make_shared<const VectorBlock>(std::move(centred));
  const auto t = std::make_shared<const MatrixXd>(totals(lambda));
  return [this, u, t](const VectorBlock& x, VectorBlock& y) {
    similarity_->multiply(x, y);
    const Index columns = x.cols();
    // z(l, j): the sum over r in l of u_r^j x_r, for each vector.
    std::vector<MatrixXd> z(static_cast<std::size_t>(clusters_));
    for (auto& rows : z) rows = MatrixXd::Zero(clusters_, columns);
    for (std::size_t r = 0; r < labels_.size(); ++r) {
      z[static_cast<std::size_t>(labels_[r])].noalias() +=
          u->row(index(r)).transpose() * x.row(index(r));
    }
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const int j = labels_[i];
      for (int l = 0; l < clusters_; ++l) {
        if (l == j) continue;
        y.row(index(i)) += (*u)(index(i), l) / (*t)(j, l) * z[static_cast<std::size_t>(l)].row(j);
      }
    }
    project(y);
  };
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

}  // namespace tertium
