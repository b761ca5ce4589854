#include "tertium/sdp/feasible.hpp"

#include <algorithm>

namespace tertium {

Eigen::MatrixXd make_feasible(const Eigen::MatrixXd& x) {
  const auto size = static_cast<double>(x.rows());
  const double smallest = x.minCoeff();
  if (smallest >= 0 || x.rows() < 2) return x.cwiseMax(0.0);
  const double a = std::clamp((x.trace() - 1) / (size - 1), 0.0, 1.0);
  const double off_diagonal = (1 - a) / size;
  // (1 - t) smallest + t off_diagonal = 0; an X with tr X = n is the identity and needs no repair.
  const double t = off_diagonal > 0 ? -smallest / (off_diagonal - smallest) : 0.0;
  Eigen::MatrixXd repaired = (1 - t) * x;
  repaired.array() += t * off_diagonal;
  repaired.diagonal().array() += t * a;
  return repaired.cwiseMax(0.0);  // rounding only
}

}  // namespace tertium
