#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "tertium/run.hpp"

namespace tertium::internal {

/// A few vectors side by side, the entries of one item next to each other.
using VectorBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A symmetric matrix A of any kind, known by what it does. What is computed has the same bits for
/// any number of threads.
class SymmetricMap {
 public:
  virtual ~SymmetricMap() = default;

  [[nodiscard]] virtual Eigen::Index size() const = 0;
  /// y = A x; y gets the shape of x.
  virtual void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const = 0;
  /// Row i, which is column i.
  [[nodiscard]] virtual Eigen::VectorXd row(Eigen::Index i) const = 0;
  /// n x k: the sum of A_ij over the items j of each cluster. `labels` has 0 .. clusters-1.
  [[nodiscard]] virtual Eigen::MatrixXd cluster_sums(const std::vector<std::int32_t>& labels,
                                                     int clusters, Run& run) const;
  /// Takes vectors into the space that A acts on, if that is not all of it.
  virtual void project(VectorBlock& /*block*/) const {}

 protected:
  SymmetricMap() = default;
  SymmetricMap(const SymmetricMap&) = default;
  SymmetricMap(SymmetricMap&&) = default;
  SymmetricMap& operator=(const SymmetricMap&) = default;
  SymmetricMap& operator=(SymmetricMap&&) = default;
};

/// All rows, written out.
Eigen::MatrixXd to_dense(const SymmetricMap& map);

/// C x for C = I - 11'/n: takes the mean away from every column.
template <typename Matrix>
void centre_columns(Matrix& block) {
  block.rowwise() -= block.colwise().mean();
}

/// Replaces A by C A C: A on the space orthogonal to 1.
void centre(Eigen::MatrixXd& matrix);

}  // namespace tertium::internal
