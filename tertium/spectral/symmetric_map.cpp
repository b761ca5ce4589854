#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd SymmetricMap::cluster_sums(const std::vector<std::int32_t>& labels, int clusters,
                                    Run& run) const {
  VectorBlock indicator = VectorBlock::Zero(size(), clusters);
  for (std::size_t i = 0; i < labels.size(); ++i) indicator(static_cast<Index>(i), labels[i]) = 1;
  project(indicator);  // Q A Q needs vectors that Q leaves as they are
  VectorBlock sums;
  multiply(indicator, sums, run);
  return sums;
}

MatrixXd to_dense(const SymmetricMap& map) {
  MatrixXd dense(map.size(), map.size());
  for (Index i = 0; i < map.size(); ++i) dense.col(i) = map.row(i);
  return dense;
}

void centre(MatrixXd& matrix) {
  const VectorXd row_means = matrix.rowwise().mean();
  const VectorXd shift = row_means.array() - row_means.mean() / 2;
  for (Index j = 0; j < matrix.cols(); ++j) matrix.col(j).array() -= shift.array() + shift[j];
}

}  // namespace tertium::internal
