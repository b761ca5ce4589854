#pragma once

#include "tertium/cluster/clustering.hpp"

namespace tertium::internal {

/// All that is kept and shown of a clustering.
ResultView view_of(const Clustering& clustering, const LoadedSimilarity& loaded,
                   const ClusterOptions& options, std::uint64_t seed);

}  // namespace tertium::internal
