#pragma once

#include <cstddef>
#include <vector>

#include "tertium/exact/proof_tree.hpp"
#include "tertium/partition.hpp"

namespace tertium::internal {

/// What rounding in the comparison of a bound with a value can come to, as a share of both: some
/// tens of operations.
inline constexpr double comparison_rounding = 1e-13;

/// For every pair of items (1,0), (2,0), (2,1), ...: whether it is proved to be apart in all
/// partitions into as many clusters whose value is at least that of `best` less `slack` (>= 0) of
/// its size. `tree` is pruned, and about these items.
///
/// A partition that puts i and j together has X_ij >= 1/(n-k+1), so in a leaf with bound B its
/// value is at most B - 2 N_ij / (n-k+1) (for groups: times the root of their sizes).
std::vector<bool> pairs_apart(const ProofTree& tree, const FoundPartition& best, double slack);

/// Pairs of items in different clusters, and how many of them are in the list.
struct PairCount {
  std::size_t across = 0;
  std::size_t apart = 0;

  /// Of all pairs across clusters. With no slack: the partition is the only one as good, as any
  /// other would put two of its clusters' items together.
  [[nodiscard]] bool all() const { return apart == across; }
};
PairCount count_across(const std::vector<bool>& apart, const Labels& labels);

}  // namespace tertium::internal
