#pragma once

#include "tertium/problem/problem.hpp"

namespace tertium::internal {

/// The clustering that comes of cutting a tree into k clusters.
Candidate cut_candidate(Problem& problem, const Dendrogram& tree, int clusters);

}  // namespace tertium::internal
