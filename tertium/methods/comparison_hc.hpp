#pragma once

#include "tertium/problem/method.hpp"

namespace tertium::internal {

/// ComparisonHC with average linkage on the comparisons themselves (4-AL), cut into k clusters.
Candidate cluster_by_comparisons(Problem& problem, int clusters);
Labels refit_by_comparisons(Problem& problem, int clusters, const RefitStart& start);

inline constexpr Method comparison_hc = {
    .name = "4-al",
    .description = "a tree by ComparisonHC: merge the clusters that win most comparisons",
    .certificates = true,
    .slow = true,
    .needs_answers = true,
    .cluster = cluster_by_comparisons,
    .refit = refit_by_comparisons,
};

}  // namespace tertium::internal
