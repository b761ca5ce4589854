#pragma once

#include "tertium/cluster/clustering.hpp"

namespace tertium::internal {

/// The whole way from a similarity to a clustering. Throws InputError, Cancelled.
Clustering walk(const LoadedSimilarity& loaded, const ClusterOptions& options, Run& run);

/// The same by a method that need not be in the table.
Clustering walk_with(const Method& method, const LoadedSimilarity& loaded,
                     const ClusterOptions& options, Run& run);

}  // namespace tertium::internal
