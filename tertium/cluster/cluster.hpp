#pragma once

#include "tertium/cluster/clustering.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium {

/// From answers to clusters: links, null test, number of clusters, partition, proof or bound,
/// confidence. Without the answers (a snapshot, a matrix, or `keep_answers` not set) everything
/// that needs them stays empty. Throws InputError if the options do not fit the data, or Cancelled.
Clustering cluster(const LoadedSimilarity& loaded, const ClusterOptions& options, Run& run);

/// The same by a method that need not be in the table.
Clustering cluster_with(const Method& method, const LoadedSimilarity& loaded,
                        const ClusterOptions& options, Run& run);

}  // namespace tertium
