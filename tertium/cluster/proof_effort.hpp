#pragma once

#include <optional>

#include "tertium/cluster.hpp"
#include "tertium/exact/best_partition.hpp"

namespace tertium::internal {

/// What the effort means for the search of a proof; none: it is not sought.
std::optional<ExactOptions> exact_options(const ProofEffort& effort);

}  // namespace tertium::internal
