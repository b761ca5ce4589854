#pragma once

#include <cstdint>
#include <vector>

#include "tertium/partition.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

/// Labels with clusters numbered by size, the largest first (ties: by the first item), empty ones
/// left out.
Labels in_order_of_size(const Labels& labels);

/// Number of clusters: one more than the largest label.
int count_clusters(const Labels& labels);

/// Gains below this share of |f| are rounding: sums are exact, the quotients are not.
inline constexpr double smallest_gain = 1e-12;

/// A partition with the exact integer sums that its value and all changes of it are made of:
///
///   S_il  the sum of S from item i to cluster l
///   s_ab  the sum of S over pairs (i in a, j in b); s_aa counts each unordered pair twice
///   f     the sum over clusters of s_aa / n_a
///
/// Sums are in units of 1 / denominator. Clusters may be empty; they count 0. Memory: n x k
/// integers.
class ClusterSums {
 public:
  /// `similarity` and `run` must outlive this.
  ClusterSums(const SparseMap& similarity, Labels labels, int clusters, Run& run);

  [[nodiscard]] int clusters() const { return static_cast<int>(sizes_.size()); }
  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] std::int64_t size_of(int cluster) const { return sizes_[at(cluster)]; }
  [[nodiscard]] std::int64_t inside(int cluster) const { return inside_[at(cluster)]; }
  [[nodiscard]] std::int64_t to_cluster(std::size_t item, int cluster) const {
    return item_sums_[at(cluster) * labels_.size() + item];
  }
  /// f in units of 1 / denominator.
  [[nodiscard]] double value() const;

  /// How much f grows when `item` moves to `cluster`.
  [[nodiscard]] double gain_of_move(std::size_t item, int cluster) const;
  /// How much f grows when two clusters become one: the sum over pairs between them is needed.
  [[nodiscard]] double gain_of_merge(int a, int b, std::int64_t between) const;
  /// s_ab for all pairs of clusters, k x k.
  [[nodiscard]] std::vector<std::int64_t> between() const;

  void move(std::size_t item, int cluster);
  /// Moves every item to its cluster in `labels`, at the cost of those that change.
  void relabel(const Labels& labels);

 private:
  static std::size_t at(int cluster) { return static_cast<std::size_t>(cluster); }
  void count();

  const SparseMap* similarity_;  // never null
  Run* run_;                     // never null
  Labels labels_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> inside_;
  std::vector<std::int64_t> item_sums_;  // cluster by cluster: a move changes two, row by row
};

}  // namespace tertium::internal
