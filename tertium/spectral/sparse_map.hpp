#pragma once

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "tertium/integer_triangle.hpp"
#include "tertium/spectral/full_product.hpp"
#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

/// The whole symmetric S by rows, both triangles, as integers: what products and searches read.
/// 5 bytes an entry as long as integers fit into 8 bits, 8 if they fit into 32, else 12. Where most
/// pairs occur, rows are kept in full, without column indices: 6 bytes an entry, or 10, and
/// quicker.
class SparseMap : public SymmetricMap {
 public:
  explicit SparseMap(const IntegerTriangle& similarity);

  [[nodiscard]] Eigen::Index size() const override { return static_cast<Eigen::Index>(items_); }
  [[nodiscard]] std::size_t nonzeros() const { return nonzeros_; }
  [[nodiscard]] double denominator() const { return denominator_; }

  /// Reads S once for up to eight vectors.
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;

  /// The sums of the integers from every item to every cluster, cluster by cluster: exact.
  [[nodiscard]] std::vector<std::int64_t> sums_to_clusters(const std::vector<std::int32_t>& labels,
                                                           std::size_t clusters, Run& run) const;

  /// Takes the integers of row i from `from` and adds them to `to`: a number for every item.
  void move_row(std::size_t i, std::int64_t* from, std::int64_t* to) const;

  /// S of some of the items, which increase. It takes no other values.
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
          if (full_) {
            const auto* row = values.data() + i * full_row_length(items_);
            for (std::size_t j = 0; j < items_; ++j) {
              visit(static_cast<std::uint32_t>(j), static_cast<std::int64_t>(row[j]));
            }
            return;
          }
          for (std::size_t at = row_start_[i]; at < row_start_[i + 1]; ++at) {
            visit(column_[at], static_cast<std::int64_t>(values[at]));
          }
        },
        value_);
  }

 private:
  /// Calls `work(from, to)` for all rows, some at a time, in as many threads as it is worth.
  void for_rows(Run& run, const std::function<void(std::size_t, std::size_t)>& work) const;
  void list_entries(const IntegerTriangle& similarity);
  template <typename Value>
  void fill_full_rows(const std::vector<std::int64_t>& triangle, std::vector<Value>& values) const;
  template <typename Value>
  void fill_entries(const std::vector<std::int64_t>& triangle, std::vector<Value>& values) const;
  template <typename Value>
  void keep_full_rows(const std::vector<std::size_t>& items, const std::vector<Value>& values,
                      std::vector<Value>& kept, SparseMap& part) const;
  template <typename Value>
  void keep_entries(const std::vector<std::size_t>& items, const std::vector<Value>& values,
                    std::vector<Value>& kept, SparseMap& part) const;

  std::size_t items_ = 0;
  std::size_t nonzeros_ = 0;
  bool full_ = false;                     // rows are kept in full
  std::vector<std::uint64_t> row_start_;  // of the entries; of those below the diagonal, if full
  std::vector<std::uint32_t> column_;
  std::variant<std::vector<std::int8_t>, std::vector<std::int32_t>, std::vector<std::int64_t>>
      value_;
  double denominator_ = 1;
};

}  // namespace tertium::internal
