#pragma once

#include <vector>

#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

/// `labels` with its clusters renamed to those of `reference` (as many, or fewer) so that as many
/// items as possible keep their cluster: the best of all assignments, by the Hungarian method. Both
/// label the same items with 0 .. clusters-1. Cost: n + k^3.
Labels matched_to(const Labels& reference, const Labels& labels, int clusters);

/// The assignment of rows to columns with the largest sum: result[row] = column. `worth` is square,
/// row by row.
std::vector<int> best_assignment(const std::vector<double>& worth, int size);

}  // namespace tertium::internal
