#include "tertium/certificate/cancelled_map.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

namespace tertium::internal {
namespace {

using Eigen::Index;

constexpr std::size_t rows_at_once = 64;
/// Vectors that are multiplied at once: with more, the sums do not stay in registers.
constexpr std::size_t widest_block = 8;

/// Calls `work(from, to)` for all rows, some at a time, in several threads.
template <typename Work>
void for_rows(std::size_t items, Run& run, const Work& work) {
  std::atomic<std::size_t> next = 0;
  run.workers(run.threads(), [&](int) {
    for (std::size_t from = next.fetch_add(rows_at_once); from < items;
         from = next.fetch_add(rows_at_once)) {
      work(from, std::min(from + rows_at_once, items));
    }
  });
}

}  // namespace

VectorBlock negative_sums(const SparseMap& similarity, const Labels& labels, int clusters,
                          Run& run) {
  VectorBlock sums = VectorBlock::Zero(similarity.size(), clusters);
  for_rows(labels.size(), run, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      auto row = sums.row(static_cast<Index>(i));
      similarity.visit_row(i, [&](std::uint32_t j, std::int64_t value) {
        row(labels[j]) -= static_cast<double>(std::min<std::int64_t>(value, 0));
      });
      row(labels[i]) = 0;
      row /= similarity.denominator();
    }
  });
  return sums;
}

CancelledMap::CancelledMap(const SparseMap& similarity, const Witness& witness,
                           const VectorBlock& negative, double lambda, double share, Run& run)
    : similarity_(similarity),
      witness_(witness),
      clusters_(static_cast<std::size_t>(witness.clusters())),
      left_(witness.row_sums(lambda).cwiseMax(0)) {
  const Labels& labels = witness.labels();
  const std::size_t items = labels.size();
  own_.resize(items * clusters_);
  others_.resize(items * clusters_);
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t b = 0; b < clusters_; ++b) {
      const double sum = negative(static_cast<Index>(i), static_cast<Index>(b));
      const double u = left_(static_cast<Index>(i), static_cast<Index>(b));
      const double c = sum > 0 ? std::min(1.0, share * u / sum) : 0;
      own_[i * clusters_ + b] = others_[b * items + i] = static_cast<float>(c);
    }
  }
  Eigen::MatrixXd cancelled = Eigen::MatrixXd::Zero(left_.rows(), 1);
  for_rows(items, run, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      auto row = left_.row(static_cast<Index>(i));
      visit_row(i, [&](std::uint32_t j, double value, double entry) {
        const double n = (entry - value) / similarity.denominator();
        row(labels[j]) -= n;
        cancelled(static_cast<Index>(i), 0) += n;
      });
      row = row.cwiseMax(0);
    }
  });
  const auto k = static_cast<Index>(clusters_);
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(k, k);
  for (std::size_t i = 0; i < items; ++i) sums.row(labels[i]) += left_.row(static_cast<Index>(i));
  totals_ = sums.cwiseMax(sums.transpose());
  sum_of_n_ = cancelled.sum();
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b < k; ++b) {
      if (totals_(a, b) > 0) sum_of_n_ += sums(a, b) * sums(b, a) / totals_(a, b);
    }
  }
}

/// Calls `visit(j, S_ij, (S + sparse part of N)_ij)`, both times the denominator.
template <typename Visit>
void CancelledMap::visit_row(std::size_t i, Visit&& visit) const {
  const Labels& labels = witness_.labels();
  const float* own = own_.data() + i * clusters_;
  const float* others = others_.data() + static_cast<std::size_t>(labels[i]) * labels.size();
  similarity_.visit_row(i, [&](std::uint32_t j, std::int64_t value) {
    const auto s = static_cast<double>(value);
    const auto share = static_cast<double>(std::min(own[labels[j]], others[j]));
    visit(j, s, s - std::min(s, 0.0) * share);
  });
}

template <std::size_t Width>
void CancelledMap::multiply_rows(std::size_t from, std::size_t to, const VectorBlock& x,
                                 VectorBlock& y, Index first) const {
  const auto stride = static_cast<std::size_t>(x.cols());
  const double* in = x.data() + first;
  const double scale = 1 / similarity_.denominator();
  for (std::size_t i = from; i < to; ++i) {
    std::array<double, Width> sum{};
    visit_row(i, [&](std::uint32_t j, double /*value*/, double entry) {
      const double* row = in + j * stride;
      for (std::size_t c = 0; c < Width; ++c) sum[c] += entry * row[c];
    });
    double* out = y.data() + first + i * stride;
    for (std::size_t c = 0; c < Width; ++c) out[c] = scale * sum[c];
  }
}

void CancelledMap::multiply(const VectorBlock& x, VectorBlock& y, Run& run) const {
  y.resize(x.rows(), x.cols());
  for_rows(static_cast<std::size_t>(x.rows()), run, [&](std::size_t from, std::size_t to) {
    for (Index first = 0; first < x.cols();) {
      const std::size_t width =
          std::min(widest_block, std::bit_floor(static_cast<std::size_t>(x.cols() - first)));
      switch (width) {
        case widest_block:
          multiply_rows<widest_block>(from, to, x, y, first);
          break;
        case 4:
          multiply_rows<4>(from, to, x, y, first);
          break;
        case 2:
          multiply_rows<2>(from, to, x, y, first);
          break;
        default:
          multiply_rows<1>(from, to, x, y, first);
      }
      first += static_cast<Index>(width);
    }
  });
  add_products(x, y);
}

void CancelledMap::add_products(const VectorBlock& x, VectorBlock& y) const {
  const Labels& labels = witness_.labels();
  const auto k = static_cast<Index>(clusters_);
  // z[a](b, .): the sum over r in b of v_r^a x_r, over t_ab.
  std::vector<VectorBlock> z(clusters_, VectorBlock::Zero(k, x.cols()));
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const auto at = static_cast<Index>(r);
    for (Index a = 0; a < k; ++a) {
      z[static_cast<std::size_t>(a)].row(labels[r]) += left_(at, a) * x.row(at);
    }
  }
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b < k; ++b) {
      auto row = z[static_cast<std::size_t>(a)].row(b);
      if (totals_(a, b) > 0) {
        row /= totals_(a, b);
      } else {
        row.setZero();
      }
    }
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto at = static_cast<Index>(i);
    y.row(at).noalias() += left_.row(at) * z[static_cast<std::size_t>(labels[i])];
  }
}

Eigen::VectorXd CancelledMap::row(Index i) const {
  const Labels& labels = witness_.labels();
  const auto a = labels[static_cast<std::size_t>(i)];
  Eigen::VectorXd entries(size());
  for (Index r = 0; r < size(); ++r) {
    const auto b = labels[static_cast<std::size_t>(r)];
    const double total = totals_(a, b);
    entries[r] = total > 0 ? left_(i, b) * left_(r, a) / total : 0;
  }
  visit_row(static_cast<std::size_t>(i), [&](std::uint32_t j, double /*value*/, double entry) {
    entries[j] += entry / similarity_.denominator();
  });
  return entries;
}

}  // namespace tertium::internal
