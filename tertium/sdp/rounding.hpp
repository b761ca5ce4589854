#pragma once

#include <cstdint>
#include <string_view>

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

struct RoundingOptions {
  Rounding rounding = Rounding::kmeans;
  int restarts = 10;       // of k-means++, > 0; the smallest sum of squares wins
  std::uint64_t seed = 1;  // of k-means++
};

/// A partition into exactly `clusters` clusters, numbered by size, the largest first.
Labels round_point(const FactoredPoint& point, int clusters, const RoundingOptions& options = {});

}  // namespace tertium
