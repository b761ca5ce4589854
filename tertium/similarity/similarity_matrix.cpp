#include "tertium/similarity/similarity_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tertium {

std::string_view to_string(SimilarityKind kind) {
  switch (kind) {
    case SimilarityKind::adds3:
      return "AddS-3";
    case SimilarityKind::adds4:
      return "AddS-4";
    case SimilarityKind::precomputed:
      return "precomputed";
  }
  return "";
}

void TriangleBuilder::allocate() {
  auto& start = matrix_.row_start;
  std::partial_sum(start.begin(), start.end(), start.begin());
  matrix_.column.resize(start.back());
  matrix_.value.resize(start.back());
  next_.assign(start.begin(), start.end() - 1);
}

void TriangleBuilder::put(std::uint32_t i, std::uint32_t j, std::int64_t value) {
  if (i > j) std::swap(i, j);
  const std::uint64_t at = next_[i]++;
  matrix_.column[at] = j;
  matrix_.value[at] = value;
}

void TriangleBuilder::finish() {
  std::vector<std::pair<std::uint32_t, std::int64_t>> row;
  for (std::size_t i = 0; i < matrix_.size(); ++i) {
    const std::size_t first = matrix_.row_start[i];
    const std::size_t last = matrix_.row_start[i + 1];
    if (std::is_sorted(matrix_.column.begin() + static_cast<std::ptrdiff_t>(first),
                       matrix_.column.begin() + static_cast<std::ptrdiff_t>(last))) {
      continue;
    }
    row.clear();
    for (std::size_t at = first; at < last; ++at) {
      row.emplace_back(matrix_.column[at], matrix_.value[at]);
    }
    std::sort(row.begin(), row.end());
    for (std::size_t at = first; at < last; ++at) {
      std::tie(matrix_.column[at], matrix_.value[at]) = row[at - first];
    }
  }
}

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

}  // namespace tertium
