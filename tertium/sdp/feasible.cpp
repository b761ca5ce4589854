#include "tertium/sdp/feasible.hpp"

#include <algorithm>
#include <functional>

namespace tertium {

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

Eigen::VectorXd FactoredPoint::eigenvalues() const {
  const auto size = vectors.rows();
  Eigen::VectorXd values = Eigen::VectorXd::Constant(size, mixed * identity_part);
  values[0] = 1;
  values.segment(1, weights.size()) += (1 - mixed) * weights;
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
