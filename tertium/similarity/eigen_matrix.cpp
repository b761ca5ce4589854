#include "tertium/similarity/eigen_matrix.hpp"

#include <vector>

namespace tertium::internal {

Eigen::SparseMatrix<double> to_eigen(const SimilarityMatrix& similarity) {
  const auto size = static_cast<Eigen::Index>(similarity.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * similarity.nonzeros());
  const auto denominator = static_cast<double>(similarity.denominator);
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const auto row = static_cast<int>(i);
      const auto column = static_cast<int>(similarity.column[at]);
      const double value = static_cast<double>(similarity.value[at]) / denominator;
      entries.emplace_back(row, column, value);
      entries.emplace_back(column, row, value);
    }
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

}  // namespace tertium::internal
