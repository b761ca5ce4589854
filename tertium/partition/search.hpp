#pragma once

#include "tertium/core/random.hpp"
#include "tertium/partition.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/local_search.hpp"
#include "tertium/spectral/krylov.hpp"

namespace tertium::internal {

struct SearchOptions {
  /// Of k-means, > 0 (or >= 0 if there are labels to start from). Alone, they miss the best
  /// partition in 196 of 368 problems (see search.cpp); half as many in 228, at 0.9 of the time;
  /// twice as many in 123, at 1.4 times the time, which those who need it spend by `most_restarts`.
  int restarts = 10;
  /// Beyond `restarts`, go on up to so many until more than half of all ended in the best
  /// partition: what is met again and again is hardly beaten. 0: never.
  int most_restarts = 0;
  /// If they did not: move a few items of the best partition at random and improve it again, until
  /// that was in vain so many times in a row.
  int kicks = 0;
  bool whole_clusters = true;  // at the end, also merge and split clusters
};

/// What a search starts from. Those who search often, several k on the same S or many S that are
/// nearly the same, give what they have.
struct SearchStart {
  KrylovResult eigenpairs;     // leading ones of S, as accurate as you like; the first k are used
  std::vector<Labels> labels;  // partitions into `clusters` clusters, all used, to improve as well
  SplitDirections* splits = nullptr;  // of this S, known from other searches; may be null
};

/// Leading eigenpairs of S that are good enough for a search with as many clusters.
KrylovResult eigenpairs_for_search(const SparseMap& similarity, int clusters, Run& run);

/// A partition into exactly `clusters` clusters with a large f: k-means on leading eigenvectors of
/// S with restarts, local search on the exact sums. 1 <= clusters <= items. Draws from `random`.
FoundPartition search_partition(const SparseMap& similarity, int clusters, const SearchStart& start,
                                Random random, const SearchOptions& options, Run& run);

/// The same from eigenpairs of its own.
FoundPartition search_partition(const SparseMap& similarity, int clusters,
                                const SearchOptions& options, Run& run);

/// A partition into any number of clusters with a large f - lambda * clusters.
FoundPartition search_priced_partition(const SparseMap& similarity, double lambda,
                                       const KrylovResult& eigenpairs, const SearchOptions& options,
                                       Run& run);
/// How many eigenpairs that wants: more are added by splits.
int eigenpairs_for_priced_search(const SparseMap& similarity);

/// f(Z) of given labels.
double partition_value(const SparseMap& similarity, const Labels& labels, Run& run);

}  // namespace tertium::internal
