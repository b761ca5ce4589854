#pragma once

#include <Eigen/Core>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/sdp.hpp"

namespace tertium::internal {

/// The feasible point nearest on that segment, given the smallest entry of 11'/n + V diag(c) V'.
FactoredPoint make_feasible(Eigen::MatrixXd vectors, Eigen::VectorXd weights,
                            double smallest_entry);

/// Z N^-1 Z', the point of a partition.
FactoredPoint partition_point(const Labels& labels);

}  // namespace tertium::internal
