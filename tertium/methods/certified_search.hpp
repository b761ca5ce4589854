#pragma once

#include "tertium/problem/method.hpp"

namespace tertium::internal {

/// Certificates first: the best partition that a search finds, if it proves itself; else the best
/// of the search and of X rounded and improved, or the consensus of those nearly as good, with the
/// bound of SDP-k where there is room for it.
Candidate cluster_by_certified_search(Problem& problem, int clusters);
Labels refit_by_search(Problem& problem, int clusters, const RefitStart& start);

inline constexpr Method certified_search = {
    .name = "auto",
    .description = "certificate first, else the consensus of the best partitions",
    .certificates = true,
    .slow = false,
    .cluster = cluster_by_certified_search,
    .refit = refit_by_search,
};

}  // namespace tertium::internal
