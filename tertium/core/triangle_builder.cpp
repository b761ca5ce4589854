#include "tertium/core/triangle_builder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>

#include "tertium/run.hpp"

namespace tertium::internal {

TriangleBuilder::TriangleBuilder(IntegerTriangle& triangle, std::size_t size)
    : triangle_(triangle) {
  triangle.row_start.assign(size + 1, 0);
}

void TriangleBuilder::count(std::uint32_t i, std::uint32_t j) {
  ++triangle_.row_start[std::max(i, j) + 1];
}

void TriangleBuilder::allocate() {
  auto& start = triangle_.row_start;
  std::partial_sum(start.begin(), start.end(), start.begin());
  triangle_.column.resize(start.back());
  triangle_.value.resize(start.back());
  next_.assign(start.begin(), start.end() - 1);
}

void TriangleBuilder::put(std::uint32_t i, std::uint32_t j, std::int64_t value) {
  const std::uint64_t at = next_[std::max(i, j)]++;
  triangle_.column[at] = std::min(i, j);
  triangle_.value[at] = value;
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

  void sort(IntegerTriangle& matrix, std::size_t i) {
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

void TriangleBuilder::finish(Run& run) {
  constexpr std::size_t rows_at_once = 256;
  std::atomic<std::size_t> next_rows = 0;
  run.workers(run.threads(), [&](int) {
    RowSorter sorter;
    while (true) {
      const std::size_t from = next_rows.fetch_add(rows_at_once);
      if (from >= triangle_.size()) return;
      const std::size_t to = std::min(from + rows_at_once, triangle_.size());
      for (std::size_t i = from; i < to; ++i) sorter.sort(triangle_, i);
    }
  });
}

}  // namespace tertium::internal
