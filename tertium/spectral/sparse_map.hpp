#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "tertium/integer_triangle.hpp"
#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

/// The whole symmetric S by rows, both triangles, as integers: what products and searches read.
/// 8 bytes an entry as long as integers fit into 32 bits, else 12.
class SparseMap : public SymmetricMap {
 public:
  explicit SparseMap(const IntegerTriangle& similarity);

  [[nodiscard]] Eigen::Index size() const override {
    return static_cast<Eigen::Index>(row_start_.size()) - 1;
  }
  [[nodiscard]] std::size_t nonzeros() const { return column_.size(); }
  [[nodiscard]] double denominator() const { return denominator_; }

  /// Reads S once for up to eight vectors.
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;

  /// S of some of the items, which increase.
  [[nodiscard]] SparseMap restricted(const std::vector<std::size_t>& items) const;

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
};

}  // namespace tertium::internal
