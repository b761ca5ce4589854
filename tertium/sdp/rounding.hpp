#pragma once

#include <cstdint>
#include <string_view>

#include "tertium/partition.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/run.hpp"
#include "tertium/sdp/feasible.hpp"

namespace tertium::internal {

/// A partition into exactly `clusters` clusters, numbered by size, the largest first: the best of
/// ten runs of k-means++.
Labels round_point(const FactoredPoint& point, int clusters, Rounding rounding, Run& run);

}  // namespace tertium::internal
