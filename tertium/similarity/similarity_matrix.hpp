#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/comparisons/stored_answers.hpp"

namespace tertium {

/// How a similarity came about.
enum class SimilarityKind : std::uint8_t {
  adds3,       // additive similarity from triplets, equation (AddS-3) of the paper
  adds4,       // additive similarity from quadruplets, equation (AddS-4)
  precomputed  // given by the user
};

std::string_view to_string(SimilarityKind kind);  // as in the paper: "AddS-3"
/// For programs: "adds3", "adds4", "precomputed".
std::string_view similarity_name(SimilarityKind kind);

/// Where a row is expected: an item that has none.
inline constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

/// A symmetric similarity S with zero diagonal, exact: S_ij = value / denominator. Only the lower
/// triangle (j < i) is stored, row by row, columns increasing, zeros left out.
///
/// Rows are items in the order of `items`: that of the items file if there was one, else integers
/// by value and then other names.
struct SimilarityMatrix {
  std::vector<std::string> items;
  std::vector<std::uint64_t>
      row_start;  // items + 1 entries; row i is [row_start[i], row_start[i+1])
  std::vector<std::uint32_t> column;
  std::vector<std::int64_t> value;
  std::int64_t denominator = 1;  // 1 unless weights were fractions

  SimilarityKind kind = SimilarityKind::adds3;
  Repeats repeats = Repeats::sum;
  std::uint64_t comparisons = 0;        // triplets or quadruplets that went in
  std::int64_t weight = 0;              // their total weight, times the denominator
  std::vector<std::uint64_t> mentions;  // per item: comparisons that show it
  std::vector<std::uint64_t> anchors;   // per item: triplets in which it is the anchor

  [[nodiscard]] std::size_t size() const { return items.size(); }
  [[nodiscard]] std::size_t nonzeros() const { return value.size(); }

  friend bool operator==(const SimilarityMatrix&, const SimilarityMatrix&) = default;
};

/// Fills the triangle of a matrix from pairs, each given once: first count all of them, then
/// allocate, then put all of them, then finish, which sorts the rows that need it. Pairs may come
/// in any order; by increasing (larger, smaller) is quickest.
class TriangleBuilder {
 public:
  explicit TriangleBuilder(SimilarityMatrix& matrix);

  void count(std::uint32_t i, std::uint32_t j);
  void allocate();
  void put(std::uint32_t i, std::uint32_t j, std::int64_t value);
  void finish(int threads = 1);

 private:
  struct RowSorter;

  SimilarityMatrix& matrix_;
  std::vector<std::uint64_t> next_;
};

}  // namespace tertium
