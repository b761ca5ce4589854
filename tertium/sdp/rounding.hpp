#pragma once

#include <cstdint>
#include <string_view>

#include "tertium/core/run.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/sdp/feasible.hpp"

namespace tertium {

/// How a partition is made of an X (paper, section 5 and appendix).
enum class Rounding : std::uint8_t {
  kmeans,   // k-means on the rows of X
  spectral  // spectral clustering of X: k-means on the rows of its k leading eigenvectors; X1 = 1,
            // so that X is its own normalised Laplacian
};

std::string_view to_string(Rounding rounding);

/// A partition into exactly `clusters` clusters, numbered by size, the largest first: the best of
/// ten runs of k-means++.
Labels round_point(const FactoredPoint& point, int clusters, Rounding rounding, Run& run);

}  // namespace tertium
