#pragma once

#include "tertium/cluster/clustering.hpp"

namespace tertium::internal {

/// Clusters of points that are too many for a similarity: the best of several runs of k-means,
/// without a bound. The objective is minus the sum of squares. Throws InputError unless the number
/// of clusters is given, Cancelled.
Clustering cluster_many_points(const LoadedSimilarity& loaded, const ClusterOptions& options,
                               Run& run);

/// The sum over clusters of squared distances to the centre, in the units of the coordinates.
double sum_of_squares(const PointTable& points, const Labels& labels, int clusters);

}  // namespace tertium::internal
