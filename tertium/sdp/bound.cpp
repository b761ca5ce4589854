#include "tertium/sdp/bound.hpp"

#include <algorithm>

#include "tertium/spectral/symmetric_eigen.hpp"

namespace tertium {

Eigen::MatrixXd centred(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd row_means = matrix.rowwise().mean();
  const double mean = row_means.mean();
  Eigen::MatrixXd result = matrix.colwise() - row_means;
  result.rowwise() -= row_means.transpose();
  result.array() += mean;
  return result;
}

double upper_bound(const Eigen::MatrixXd& similarity, const Eigen::MatrixXd& dual,
                   const SdpProgram& program) {
  const Eigen::MatrixXd sum = similarity + dual;
  const auto size = static_cast<double>(sum.rows());
  Eigen::MatrixXd inner = centred(sum);
  // The eigenvector 1 of the centred matrix is no part of the space: its eigenvalue 0 goes below
  // all others, and is left out.
  inner.array() -= 2 * inner.norm() / size;
  const Eigen::VectorXd values = symmetric_eigenvalues(inner).tail(sum.rows() - 1);
  const double error = eigenvalue_error_bound(inner) + eigenvalue_error_bound(sum);
  double bound = sum.sum() / size;
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

}  // namespace tertium
