#pragma once

#include "tertium/problem/method.hpp"

namespace tertium::internal {

/// What the paper prints: SDP-k, solved from the eigenvectors of S, and k-means or spectral
/// clustering on X.
Candidate cluster_as_printed(Problem& problem, int clusters);
Labels refit_as_printed(Problem& problem, int clusters, const RefitStart& start);

inline constexpr Method paper = {
    .name = "paper",
    .description = "exactly as the paper prints it: solve SDP-k, round X",
    .certificates = false,
    .slow = true,
    .cluster = cluster_as_printed,
    .refit = refit_as_printed,
};

}  // namespace tertium::internal
