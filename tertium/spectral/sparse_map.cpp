#include "tertium/spectral/sparse_map.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>

#include "tertium/core/every_processor.hpp"
#include "tertium/spectral/full_product.hpp"

namespace tertium::internal {
namespace {

constexpr std::size_t widest_block = 8;
constexpr std::size_t rows_at_once = 128;
/// A product with fewer entries per thread is done before the others have woken up (some 10 us):
/// at half as many the second thread gains nothing at n = 300, at twice as many n = 500 waits.
constexpr std::size_t entries_worth_a_thread = 1U << 16U;

/// Neighbours are often in one cluster: an addition to its sum need not wait for the last one.
constexpr std::size_t sums_at_once = 4;
/// With so many clusters, sums to clusters are products with vectors of zeros and ones: each is
/// multiplied at a quarter of the cost of adding an entry to its cluster's sum.
constexpr std::size_t most_clusters_as_vectors = 16;
/// Sums of fewer integers of 32 bits are exact as numbers.
constexpr std::size_t most_items_exact = std::size_t{1} << 22U;

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

/// Takes a row from one of two ranges that do not overlap, and adds it to the other.
TERTIUM_FOR_EVERY_PROCESSOR void move_full_row(const std::int32_t* row, std::size_t length,
                                               std::int64_t* from, std::int64_t* to) {
  for (std::size_t j = 0; j < length; ++j) from[j] -= row[j];
  for (std::size_t j = 0; j < length; ++j) to[j] += row[j];
}

/// No early end: the processor looks at several values at once then.
bool fit_bits(const std::vector<std::int64_t>& values, unsigned bits) {
  std::uint64_t beyond = 0;
  for (const std::int64_t value : values) {
    beyond |= (static_cast<std::uint64_t>(value) + (std::uint64_t{1} << (bits - 1))) >> bits;
  }
  return beyond == 0;
}

/// Rows are kept in full where so many entries of 100 occur: a choice by size, not measured at half
/// and double. Full rows take less memory from 67 on; with nearly 100, default clustering of 1000
/// items takes three quarters of the time.
constexpr std::size_t percent_worth_full_rows = 75;

bool worth_full_rows(std::size_t items, std::size_t entries) {
  return items > 1 && 100 * entries >= percent_worth_full_rows * items * (items - 1);
}

/// Copies the lower triangle to the upper one, in squares that stay in the cache.
template <typename Value>
void mirror(std::vector<Value>& values, std::size_t items, std::size_t length) {
  constexpr std::size_t side = 32;
  for (std::size_t top = 0; top < items; top += side) {
    for (std::size_t left = 0; left <= top; left += side) {
      for (std::size_t j = left; j < std::min(left + side, items); ++j) {
        for (std::size_t i = std::max(top, j + 1); i < std::min(top + side, items); ++i) {
          values[j * length + i] = values[i * length + j];
        }
      }
    }
  }
}

}  // namespace

SparseMap::SparseMap(const IntegerTriangle& similarity)
    : items_(similarity.row_start.empty() ? 0 : similarity.row_start.size() - 1),
      nonzeros_(2 * similarity.nonzeros()),
      full_(worth_full_rows(items_, nonzeros_)),
      row_start_(items_ + 1, 0),
      denominator_(static_cast<double>(similarity.denominator)) {
  if (full_) {
    row_start_ = similarity.row_start;
    column_ = similarity.column;
  } else {
    list_entries(similarity);
  }
  set_values(similarity.value);
}

void SparseMap::list_entries(const IntegerTriangle& similarity) {
  column_.resize(nonzeros_);
  for (std::size_t i = 0; i < items_; ++i) {
    row_start_[i + 1] += similarity.row_start[i + 1] - similarity.row_start[i];
  }
  for (const std::uint32_t j : similarity.column) ++row_start_[j + 1];
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  // Rows are visited in order, so that every row gets its columns in order: first those below i,
  // then, as later rows come, those above.
  std::vector<std::uint64_t> next(row_start_.begin(), row_start_.end() - 1);
  for (std::size_t i = 0; i < items_; ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const std::uint32_t j = similarity.column[at];
      column_[next[i]++] = j;
      column_[next[j]++] = static_cast<std::uint32_t>(i);
    }
  }
}

void SparseMap::set_values(const std::vector<std::int64_t>& triangle) {
  assert(2 * triangle.size() == nonzeros_);
  if (!full_ && fit_bits(triangle, 8)) {
    if (value_.index() != 0) value_.emplace<0>();
  } else if (fit_bits(triangle, 32)) {
    if (value_.index() != 1) value_.emplace<1>();
  } else if (value_.index() != 2) {
    value_.emplace<2>();
  }
  std::visit(
      [&](auto& values) {
        if (full_) {
          fill_full_rows(triangle, values);
        } else {
          fill_entries(triangle, values);
        }
      },
      value_);
}

template <typename Value>
void SparseMap::fill_full_rows(const std::vector<std::int64_t>& triangle,
                               std::vector<Value>& values) const {
  const std::size_t length = full_row_length(items_);
  values.resize(items_ * length, 0);
  for (std::size_t i = 0; i < items_; ++i) {
    Value* row = values.data() + i * length;
    for (std::size_t at = row_start_[i]; at < row_start_[i + 1]; ++at) {
      row[column_[at]] = static_cast<Value>(triangle[at]);
    }
  }
  mirror(values, items_, length);
}

template <typename Value>
void SparseMap::fill_entries(const std::vector<std::int64_t>& triangle,
                             std::vector<Value>& values) const {
  values.resize(column_.size());
  std::vector<std::uint64_t> next_above(items_);
  auto given = triangle.begin();
  for (std::size_t i = 0; i < items_; ++i) {
    std::uint64_t at = row_start_[i];
    for (; at < row_start_[i + 1] && column_[at] < i; ++at, ++given) {
      values[at] = static_cast<Value>(*given);
      values[next_above[column_[at]]++] = values[at];
    }
    next_above[i] = at;
  }
}

void SparseMap::for_rows(Run& run,
                         const std::function<void(std::size_t, std::size_t)>& work) const {
  std::atomic<std::size_t> next = 0;
  const std::size_t worth = nonzeros_ / entries_worth_a_thread;
  const auto most = static_cast<std::size_t>(run.threads());
  run.workers(static_cast<int>(std::clamp<std::size_t>(worth, 1, most)), [&](int) {
    for (std::size_t from = next.fetch_add(rows_at_once); from < items_;
         from = next.fetch_add(rows_at_once)) {
      work(from, std::min(from + rows_at_once, items_));
    }
  });
}

void SparseMap::multiply(const VectorBlock& x, VectorBlock& y, Run& run) const {
  y.resize(x.rows(), x.cols());
  const Eigen::MatrixXd columns = full_ ? as_long_columns(x) : Eigen::MatrixXd();
  for_rows(run, [&](std::size_t from, std::size_t to) {
    std::visit(
        [&](const auto& values) {
          if constexpr (sizeof(values[0]) > 1) {  // full rows have at least 32 bits
            if (full_) return multiply_full_rows(values, 1 / denominator_, from, to, columns, y);
          }
          for (Eigen::Index first = 0; first < x.cols();) {
            const std::size_t width =
                std::min(widest_block, std::bit_floor(static_cast<std::size_t>(x.cols() - first)));
            multiply_rows(width, row_start_, column_, values, 1 / denominator_, from, to, x, y,
                          first);
            first += static_cast<Eigen::Index>(width);
          }
        },
        value_);
  });
}

std::vector<std::int64_t> SparseMap::sums_to_clusters(const std::vector<std::int32_t>& labels,
                                                      std::size_t clusters, Run& run) const {
  std::vector<std::int64_t> sums(items_ * clusters, 0);
  const auto* narrow = std::get_if<std::vector<std::int32_t>>(&value_);
  if (full_ && narrow != nullptr && clusters <= most_clusters_as_vectors &&
      items_ < most_items_exact) {
    const auto length = static_cast<Eigen::Index>(full_row_length(items_));
    Eigen::MatrixXd member = Eigen::MatrixXd::Zero(length, static_cast<Eigen::Index>(clusters));
    for (std::size_t i = 0; i < items_; ++i) member(static_cast<Eigen::Index>(i), labels[i]) = 1;
    VectorBlock whole(size(), static_cast<Eigen::Index>(clusters));
    for_rows(run, [&](std::size_t from, std::size_t to) {
      multiply_full_rows(*narrow, 1, from, to, member, whole);
      for (std::size_t l = 0; l < clusters; ++l) {
        for (std::size_t i = from; i < to; ++i) {
          sums[l * items_ + i] = static_cast<std::int64_t>(whole.data()[i * clusters + l]);
        }
      }
    });
    return sums;
  }
  for_rows(run, [&](std::size_t from, std::size_t to) {
    std::vector<std::int64_t> parts(sums_at_once * clusters);
    for (std::size_t i = from; i < to; ++i) {
      std::fill(parts.begin(), parts.end(), 0);
      std::size_t turn = 0;
      visit_row(i, [&](std::uint32_t j, std::int64_t value) {
        parts[sums_at_once * static_cast<std::size_t>(labels[j]) + turn++ % sums_at_once] += value;
      });
      for (std::size_t p = 0; p < parts.size(); ++p) {
        sums[p / sums_at_once * items_ + i] += parts[p];
      }
    }
  });
  return sums;
}

void SparseMap::move_row(std::size_t i, std::int64_t* from, std::int64_t* to) const {
  const auto* narrow = std::get_if<std::vector<std::int32_t>>(&value_);
  if (full_ && narrow != nullptr) {
    return move_full_row(narrow->data() + i * full_row_length(items_), items_, from, to);
  }
  visit_row(i, [&](std::uint32_t j, std::int64_t value) {
    from[j] -= value;
    to[j] += value;
  });
}

Eigen::VectorXd SparseMap::row(Eigen::Index i) const {
  Eigen::VectorXd entries = Eigen::VectorXd::Zero(size());
  visit_row(static_cast<std::size_t>(i), [&](std::uint32_t j, std::int64_t value) {
    entries[static_cast<Eigen::Index>(j)] = static_cast<double>(value) / denominator_;
  });
  return entries;
}

SparseMap SparseMap::restricted(const std::vector<std::size_t>& items) const {
  SparseMap part{IntegerTriangle()};
  part.denominator_ = denominator_;
  part.items_ = items.size();
  part.full_ = full_;
  std::visit(
      [&](const auto& values) {
        std::decay_t<decltype(values)> kept;
        if (full_) {
          keep_full_rows(items, values, kept, part);
        } else {
          keep_entries(items, values, kept, part);
        }
        part.value_ = std::move(kept);
      },
      value_);
  return part;
}

template <typename Value>
void SparseMap::keep_full_rows(const std::vector<std::size_t>& items,
                               const std::vector<Value>& values, std::vector<Value>& kept,
                               SparseMap& part) const {
  const std::size_t length = full_row_length(items_);
  const std::size_t kept_length = full_row_length(items.size());
  kept.assign(items.size() * kept_length, 0);
  for (std::size_t a = 0; a < items.size(); ++a) {
    const Value* row = values.data() + items[a] * length;
    Value* kept_row = kept.data() + a * kept_length;
    for (std::size_t b = 0; b < items.size(); ++b) kept_row[b] = row[items[b]];
  }
  part.nonzeros_ = items.size() * (items.size() - std::min<std::size_t>(items.size(), 1));
}

template <typename Value>
void SparseMap::keep_entries(const std::vector<std::size_t>& items,
                             const std::vector<Value>& values, std::vector<Value>& kept,
                             SparseMap& part) const {
  std::vector<std::uint32_t> position(items_, no_row);
  for (std::size_t at = 0; at < items.size(); ++at) {
    position[items[at]] = static_cast<std::uint32_t>(at);
  }
  part.row_start_.reserve(items.size() + 1);
  for (const std::size_t i : items) {
    for (std::size_t at = row_start_[i]; at < row_start_[i + 1]; ++at) {
      if (position[column_[at]] == no_row) continue;
      part.column_.push_back(position[column_[at]]);
      kept.push_back(values[at]);
    }
    part.row_start_.push_back(part.column_.size());
  }
  part.nonzeros_ = part.column_.size();
}

}  // namespace tertium::internal
