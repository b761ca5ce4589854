#pragma once

#include <Eigen/Core>

#include "tertium/core/random.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

struct KmeansResult {
  Labels labels;       // 0 .. k-1, every cluster used
  double squares = 0;  // the sum of squared distances to the centres
};

/// One run of k-means on the rows of `points`: k-means++ seeding (Arthur and Vassilvitskii 2007),
/// then Lloyd's steps until nothing changes. 1 <= clusters <= rows. A cluster that runs empty
/// gets the point farthest from its centre.
KmeansResult kmeans(const Eigen::MatrixXd& points, int clusters, Random& random);

}  // namespace tertium::internal
