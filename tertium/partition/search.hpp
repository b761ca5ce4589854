#pragma once

#include <cstdint>
#include <functional>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/spectral/krylov.hpp"

namespace tertium {

struct SearchOptions {
  int restarts = 5;                  // of k-means, > 0 (or >= 0 if there are labels to start from)
  std::uint64_t seed = 1;            // of the start of the eigenvectors and of k-means++
  bool whole_clusters = true;        // at the end, also merge and split clusters
  std::function<bool()> keep_going;  // asked now and then; false throws Cancelled
};

struct FoundPartition {
  Labels labels;     // clusters numbered by size, the largest first
  int clusters = 0;  // all used
  double value = 0;  // f(Z) = the sum over clusters of (sum of S over ordered pairs inside)/size
};

/// A partition into exactly `clusters` clusters with a large f: leading eigenvectors of S, k-means
/// on them with restarts, local search on the exact sums. 1 <= clusters <= items.
FoundPartition search_partition(const SymmetricRows& similarity, int clusters,
                                const SearchOptions& options = {});

/// What a search starts from, for those who search often: several k on the same S, or many S that
/// are nearly the same.
struct SearchStart {
  KrylovResult eigenpairs;     // leading ones of S, as accurate as you like; the first k are used
  std::vector<Labels> labels;  // partitions into `clusters` clusters, all used, to improve as well
};
FoundPartition search_partition(const SymmetricRows& similarity, int clusters,
                                const SearchStart& start, const SearchOptions& options = {});

/// A partition into any number of clusters with a large f - lambda * clusters.
FoundPartition search_priced_partition(const SymmetricRows& similarity, double lambda,
                                       const SearchOptions& options = {});

/// f(Z) of given labels.
double partition_value(const SymmetricRows& similarity, const Labels& labels);

}  // namespace tertium
