#pragma once

#include <optional>

#include "tertium/partition.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

/// Another partition with exactly the same value, one step away.
struct Tie {
  std::size_t item = 0;
  std::optional<std::size_t> exchanged;  // with this one of another cluster; none: the item moves
  int cluster = 0;                       // that the item goes to
};

/// The first such step, if there is one: integers decide, so that nothing is rounded. Sums of S
/// below 2^53, up to some thousand items.
std::optional<Tie> find_tie(const SparseMap& similarity, const FoundPartition& partition, Run& run);

}  // namespace tertium::internal
