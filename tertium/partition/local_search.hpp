#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "tertium/core/random.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

/// The leading eigenvector of P_a S_aa P_a (S inside one cluster, centred), with its Rayleigh
/// quotient: an upper bound, up to the accuracy of the eigenvector, on what splitting can gain.
struct SplitDirection {
  std::vector<std::size_t> members;
  Eigen::VectorXd direction;  // an entry per member
  double value = 0;           // in the units of S
};
SplitDirection split_direction(const SparseMap& similarity, const Labels& labels, int cluster,
                               Run& run);

/// The SplitDirections of all clusters of a partition, for searches that meet the same clusters
/// again and again: those that the last partition had too are not found anew. Of one S only; for
/// one thread at a time.
class SplitDirections {
 public:
  /// In the order of the clusters; a single item has no members here. Valid until the next call.
  const std::vector<SplitDirection>& of(const SparseMap& similarity, const Labels& labels,
                                        int clusters, Run& run);

 private:
  std::vector<SplitDirection> last_;
};

/// What is maximised: f(Z), the sum over clusters of (sum of S inside)/size, minus `price` per
/// cluster. Without a price the number of clusters stays as it is.
struct LocalSearch {
  std::optional<double> price;        // in the units of S
  SplitDirections* splits = nullptr;  // of this S, by those who search often; may be null
};

/// Moves single items for as long as f grows: first all at once to argmax 2 M_il - B_ll (M the mean
/// similarity to a cluster, B the mean inside it), then one by one. No cluster runs empty.
void move_items(ClusterSums& sums);

/// Moves some items, from one to half of them, to clusters drawn at random. No cluster runs
/// empty.
void kick(ClusterSums& sums, Random& random);

/// move_items, and then merges and splits of whole clusters while they help: with a price each on
/// its own, without one a merge together with a split.
void improve(ClusterSums& sums, const SparseMap& similarity, const LocalSearch& options, Run& run);

/// The labels of `sums` with one cluster more: the one whose split can gain most, by its
/// SplitDirection, is cut in two there. Unchanged if every cluster is a single item.
Labels with_one_split(const ClusterSums& sums, const SparseMap& similarity, SplitDirections& splits,
                      Run& run);

}  // namespace tertium::internal
