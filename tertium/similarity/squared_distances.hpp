#pragma once

#include "tertium/points.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// S_ij = -|x_i - x_j|^2 / 2 of points: -f of a partition is the sum of squared distances to the
/// centres of its clusters, the cost of k-means.
struct SquaredDistances {
  SimilarityMatrix similarity;  // halves of integers, in units of 10^exponent (similarity.exponent)
  bool rounded = false;         // every integer is off by at most one, else exact
};

/// In the finest unit in which the sum over all ordered pairs stays below 2^53. Memory: n^2. Throws
/// InputError if squares of the coordinates leave the range of a double, or Cancelled.
SquaredDistances squared_distances(const PointTable& points, Run& run);

}  // namespace tertium::internal
