#include "tertium/sdp/feasible.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tertium::internal {

FactoredPoint make_feasible(Eigen::MatrixXd vectors, Eigen::VectorXd weights,
                            double smallest_entry) {
  FactoredPoint point{std::move(vectors), std::move(weights), 0, 0};
  const auto size = static_cast<double>(point.vectors.rows());
  if (smallest_entry >= 0 || size < 2) return point;
  point.identity_part = std::clamp((point.trace() - 1) / (size - 1), 0.0, 1.0);
  const double off_diagonal = (1 - point.identity_part) / size;
  // (1 - t) smallest + t off_diagonal = 0; an X with tr X = n is the identity and needs no repair.
  if (off_diagonal > 0) point.mixed = -smallest_entry / (off_diagonal - smallest_entry);
  return point;
}

/// The k normalised indicators, turned so that the first is 1/sqrt(n) and left out.
FactoredPoint partition_point(const Labels& labels) {
  const auto size = static_cast<Eigen::Index>(labels.size());
  const int clusters = count_clusters(labels);
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(clusters);
  for (const auto label : labels) ++sizes[label];
  // The Householder reflection that sends sqrt(sizes / n) to the first unit vector.
  Eigen::VectorXd direction = (sizes / static_cast<double>(size)).cwiseSqrt();
  direction[0] += 1;
  const Eigen::MatrixXd reflection =
      Eigen::MatrixXd::Identity(clusters, clusters) -
      2 * direction * direction.transpose() / direction.squaredNorm();
  FactoredPoint point;
  point.vectors.resize(size, clusters - 1);
  for (Eigen::Index i = 0; clusters > 1 && i < size; ++i) {
    const auto cluster = labels[static_cast<std::size_t>(i)];
    point.vectors.row(i) = reflection.row(cluster).tail(clusters - 1) / std::sqrt(sizes[cluster]);
  }
  point.weights = Eigen::VectorXd::Ones(clusters - 1);
  return point;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

Eigen::VectorXd FactoredPoint::eigenvalues() const {
  const auto size = vectors.rows();
  Eigen::VectorXd values = Eigen::VectorXd::Constant(size, mixed * identity_part);
  values[0] = 1;
  values.segment(1, weights.size()) += (1 - mixed) * weights;
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

Eigen::VectorXd FactoredPoint::eigenvalues_before_repair() const {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(vectors.rows());
  values[0] = 1;
  values.segment(1, weights.size()) = weights;
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

Eigen::MatrixXd FactoredPoint::matrix() const {
  const auto size = vectors.rows();
  const Eigen::MatrixXd factor = vectors * ((1 - mixed) * weights).cwiseSqrt().asDiagonal();
  Eigen::MatrixXd x(size, size);
  x.noalias() = factor * factor.transpose();
  x.array() += (1 - mixed * identity_part) / static_cast<double>(size);
  x.diagonal().array() += mixed * identity_part;
  return x.cwiseMax(0.0);  // rounding only
}

}  // namespace tertium
