#pragma once

#include "tertium/partition.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

/// Any partition into so many clusters, all used, with its value.
inline FoundPartition some_partition(const SparseMap& map, int clusters, Run& run) {
  Labels labels(static_cast<std::size_t>(map.size()));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<std::int32_t>(i) % clusters;
  }
  return {labels, clusters, ClusterSums(map, labels, clusters, run).value() / map.denominator()};
}

}  // namespace tertium::internal
