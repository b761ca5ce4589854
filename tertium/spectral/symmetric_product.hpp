#pragma once

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

/// A few vectors side by side, the entries of one item next to each other.
using VectorBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// y = A x for a symmetric A of any kind; y has the shape of x.
using BlockProduct = std::function<void(const VectorBlock& x, VectorBlock& y)>;

/// The whole symmetric S by rows, both triangles, as integers: what products and searches read.
/// 8 bytes an entry as long as integers fit into 32 bits, else 12.
class SymmetricRows {
 public:
  explicit SymmetricRows(const SimilarityMatrix& similarity, int threads = 1);

  [[nodiscard]] std::size_t size() const { return row_start_.size() - 1; }
  [[nodiscard]] std::size_t nonzeros() const { return column_.size(); }
  [[nodiscard]] double denominator() const { return denominator_; }
  [[nodiscard]] int threads() const { return threads_; }

  /// y = S x. Reads S once for up to eight vectors; rows are shared among the threads, and the
  /// result does not depend on their number.
  void multiply(const VectorBlock& x, VectorBlock& y) const;

  /// Takes other integers for the same entries: `triangle` has one for each pair of the matrix that
  /// this was made from, in its order; they may be zero. For many similarities over the same pairs.
  void set_values(const std::vector<std::int64_t>& triangle);

  /// Calls `visit(j, integer)` for every stored entry of row i, among them all that are not zero:
  /// S_ij = integer / denominator.
  template <typename Visit>
  void visit_row(std::size_t i, Visit&& visit) const {
    std::visit(
        [&](const auto& values) {
          for (std::size_t at = row_start_[i]; at < row_start_[i + 1]; ++at) {
            visit(column_[at], static_cast<std::int64_t>(values[at]));
          }
        },
        value_);
  }

 private:
  std::vector<std::uint64_t> row_start_;
  std::vector<std::uint32_t> column_;
  std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>> value_;
  double denominator_ = 1;
  int threads_ = 1;
};

/// S as a dense matrix.
Eigen::MatrixXd to_dense(const SimilarityMatrix& similarity);

}  // namespace tertium
