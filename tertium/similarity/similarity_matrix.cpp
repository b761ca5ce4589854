#include "tertium/similarity/similarity_matrix.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "tertium/core/threads.hpp"

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

std::string_view similarity_name(SimilarityKind kind) {
  switch (kind) {
    case SimilarityKind::adds3:
      return "adds3";
    case SimilarityKind::adds4:
      return "adds4";
    case SimilarityKind::precomputed:
      return "precomputed";
  }
  return "";
}

TriangleBuilder::TriangleBuilder(SimilarityMatrix& matrix) : matrix_(matrix) {
  matrix.row_start.assign(matrix.size() + 1, 0);
}

void TriangleBuilder::count(std::uint32_t i, std::uint32_t j) {
  ++matrix_.row_start[std::max(i, j) + 1];
}

void TriangleBuilder::allocate() {
  auto& start = matrix_.row_start;
  std::partial_sum(start.begin(), start.end(), start.begin());
  matrix_.column.resize(start.back());
  matrix_.value.resize(start.back());
  next_.assign(start.begin(), start.end() - 1);
}

void TriangleBuilder::put(std::uint32_t i, std::uint32_t j, std::int64_t value) {
  const std::uint64_t at = next_[std::max(i, j)]++;
  matrix_.column[at] = std::min(i, j);
  matrix_.value[at] = value;
}

/// Sorts rows by column: by radix, since columns are small numbers; short rows by comparing.
struct TriangleBuilder::RowSorter {
  struct Entry {
    std::uint32_t column;
    std::int64_t value;
  };
  static constexpr unsigned digit_bits = 9;
  static constexpr std::size_t digits = std::size_t{1} << digit_bits;
  static constexpr std::size_t shortest_radix_sort = 64;

  void sort(SimilarityMatrix& matrix, std::size_t i) {
    const std::size_t first = matrix.row_start[i];
    const std::size_t length = matrix.row_start[i + 1] - first;
    const auto columns = matrix.column.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::is_sorted(columns, columns + static_cast<std::ptrdiff_t>(length))) return;
    row.resize(length);
    for (std::size_t at = 0; at < length; ++at) {
      row[at] = {matrix.column[first + at], matrix.value[first + at]};
    }
    if (length < shortest_radix_sort) {
      std::sort(row.begin(), row.end(),
                [](const Entry& x, const Entry& y) { return x.column < y.column; });
    } else {
      sort_by_radix(static_cast<unsigned>(std::bit_width(matrix.size())));
    }
    for (std::size_t at = 0; at < length; ++at) {
      matrix.column[first + at] = row[at].column;
      matrix.value[first + at] = row[at].value;
    }
  }

  void sort_by_radix(unsigned bits) {
    other.resize(row.size());
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
      std::array<std::uint32_t, digits> next{};
      for (const Entry& entry : row) ++next[(entry.column >> shift) & (digits - 1)];
      std::uint32_t start = 0;
      for (std::uint32_t& place : next) start += std::exchange(place, start);
      for (const Entry& entry : row) other[next[(entry.column >> shift) & (digits - 1)]++] = entry;
      row.swap(other);
    }
  }

  std::vector<Entry> row;
  std::vector<Entry> other;
};

void TriangleBuilder::finish(int threads) {
  constexpr std::size_t rows_at_once = 256;
  std::atomic<std::size_t> next_rows = 0;
  run_workers(threads, [&](int) {
    RowSorter sorter;
    while (true) {
      const std::size_t from = next_rows.fetch_add(rows_at_once);
      if (from >= matrix_.size()) return;
      const std::size_t to = std::min(from + rows_at_once, matrix_.size());
      for (std::size_t i = from; i < to; ++i) sorter.sort(matrix_, i);
    }
  });
}

}  // namespace tertium
