#include "tertium/spectral/sparse_map.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>

#include "tertium/core/every_processor.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t widest_block = 8;
constexpr std::size_t rows_at_once = 128;
/// A product with fewer entries per thread is done before the others have woken up (some 10 us):
/// at half as many the second thread gains nothing at n = 300, at twice as many n = 500 waits.
constexpr std::size_t entries_worth_a_thread = 1U << 16U;

/// Rows [from, to) of S x for `Width` vectors that start at column `first` of x.
template <std::size_t Width, typename Value>
TERTIUM_FOR_EVERY_PROCESSOR void multiply_rows(const std::vector<std::uint64_t>& row_start,
                                               const std::vector<std::uint32_t>& column,
                                               const std::vector<Value>& value, double scale,
                                               std::size_t from, std::size_t to,
                                               const VectorBlock& x, VectorBlock& y,
                                               Eigen::Index first) {
  const auto stride = static_cast<std::size_t>(x.cols());
  const double* in = x.data() + first;
  double* out = y.data() + first;
  for (std::size_t i = from; i < to; ++i) {
    // Two sums, so that one addition need not wait for the other.
    std::array<double, Width> even{};
    std::array<double, Width> odd{};
    const auto add = [&](std::size_t at, std::array<double, Width>& sum) {
      const auto factor = static_cast<double>(value[at]);
      const double* row = in + column[at] * stride;
      for (std::size_t c = 0; c < Width; ++c) sum[c] += factor * row[c];
    };
    const std::size_t end = row_start[i + 1];
    std::size_t at = row_start[i];
    for (; at + 1 < end; at += 2) {
      add(at, even);
      add(at + 1, odd);
    }
    if (at < end) add(at, even);
    for (std::size_t c = 0; c < Width; ++c) out[i * stride + c] = scale * (even[c] + odd[c]);
  }
}

template <typename Value>
void multiply_rows(std::size_t width, const std::vector<std::uint64_t>& row_start,
                   const std::vector<std::uint32_t>& column, const std::vector<Value>& value,
                   double scale, std::size_t from, std::size_t to, const VectorBlock& x,
                   VectorBlock& y, Eigen::Index first) {
  const auto run = [&]<std::size_t Width>() {
    multiply_rows<Width>(row_start, column, value, scale, from, to, x, y, first);
  };
  switch (width) {
    case widest_block:
      return run.template operator()<widest_block>();
    case 4:
      return run.template operator()<4>();
    case 2:
      return run.template operator()<2>();
    default:
      return run.template operator()<1>();
  }
}

bool fits_32_bits(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

SparseMap::SparseMap(const IntegerTriangle& similarity)
    : row_start_(similarity.row_start.size(), 0),
      column_(2 * similarity.nonzeros()),
      denominator_(static_cast<double>(similarity.denominator)) {
  if (row_start_.empty()) row_start_.assign(1, 0);
  const std::size_t items = row_start_.size() - 1;
  for (std::size_t i = 0; i < items; ++i) {
    row_start_[i + 1] += similarity.row_start[i + 1] - similarity.row_start[i];
  }
  for (const std::uint32_t j : similarity.column) ++row_start_[j + 1];
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  // Rows are visited in order, so that every row gets its columns in order: first those below i,
  // then, as later rows come, those above.
  std::vector<std::uint64_t> next(row_start_.begin(), row_start_.end() - 1);
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const std::uint32_t j = similarity.column[at];
      column_[next[i]++] = j;
      column_[next[j]++] = static_cast<std::uint32_t>(i);
    }
  }
  set_values(similarity.value);
}

void SparseMap::set_values(const std::vector<std::int64_t>& triangle) {
  assert(2 * triangle.size() == column_.size());
  const bool narrow = std::all_of(triangle.begin(), triangle.end(), fits_32_bits);
  if (narrow && value_.index() != 0) value_.emplace<0>();
  if (!narrow && value_.index() != 1) value_.emplace<1>();
  std::visit(
      [&](auto& values) {
        values.resize(column_.size());
        const std::size_t items = row_start_.size() - 1;
        std::vector<std::uint64_t> next_above(items);
        auto given = triangle.begin();
        for (std::size_t i = 0; i < items; ++i) {
          std::uint64_t at = row_start_[i];
          for (; at < row_start_[i + 1] && column_[at] < i; ++at, ++given) {
            using Value = typename std::decay_t<decltype(values)>::value_type;
            values[at] = static_cast<Value>(*given);
            values[next_above[column_[at]]++] = values[at];
          }
          next_above[i] = at;
        }
      },
      value_);
}

void SparseMap::multiply(const VectorBlock& x, VectorBlock& y, Run& run) const {
  y.resize(x.rows(), x.cols());
  const std::size_t items = row_start_.size() - 1;
  std::atomic<std::size_t> next_rows = 0;
  const auto work = [&](int) {
    while (true) {
      const std::size_t from = next_rows.fetch_add(rows_at_once);
      if (from >= items) return;
      const std::size_t to = std::min(from + rows_at_once, items);
      for (Eigen::Index first = 0; first < x.cols();) {
        const std::size_t width =
            std::min(widest_block, std::bit_floor(static_cast<std::size_t>(x.cols() - first)));
        std::visit(
            [&](const auto& values) {
              multiply_rows(width, row_start_, column_, values, 1 / denominator_, from, to, x, y,
                            first);
            },
            value_);
        first += static_cast<Eigen::Index>(width);
      }
    }
  };
  run.workers(static_cast<int>(std::clamp<std::size_t>(column_.size() / entries_worth_a_thread, 1,
                                                       static_cast<std::size_t>(run.threads()))),
              work);
}

Eigen::VectorXd SparseMap::row(Eigen::Index i) const {
  Eigen::VectorXd entries = Eigen::VectorXd::Zero(size());
  visit_row(static_cast<std::size_t>(i), [&](std::uint32_t j, std::int64_t value) {
    entries[static_cast<Eigen::Index>(j)] = static_cast<double>(value) / denominator_;
  });
  return entries;
}

SparseMap SparseMap::restricted(const std::vector<std::size_t>& items) const {
  std::vector<std::uint32_t> position(row_start_.size() - 1, no_row);
  for (std::size_t at = 0; at < items.size(); ++at) {
    position[items[at]] = static_cast<std::uint32_t>(at);
  }
  SparseMap part{IntegerTriangle()};
  part.denominator_ = denominator_;
  part.row_start_.reserve(items.size() + 1);
  std::visit(
      [&](const auto& values) {
        std::decay_t<decltype(values)> kept;
        for (const std::size_t i : items) {
          for (std::size_t at = row_start_[i]; at < row_start_[i + 1]; ++at) {
            if (position[column_[at]] == no_row) continue;
            part.column_.push_back(position[column_[at]]);
            kept.push_back(values[at]);
          }
          part.row_start_.push_back(part.column_.size());
        }
        part.value_ = std::move(kept);
      },
      value_);
  return part;
}

}  // namespace tertium::internal
