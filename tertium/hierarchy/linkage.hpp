#pragma once

#include <cstdint>

#include "tertium/dendrogram.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

/// How alike two clusters are, by S of the pairs between them. Pairs that are not stored count 0.
enum class Linkage : std::uint8_t {
  average,  // the mean: UPGMA
  single,   // the largest
  complete  // the smallest
};

/// Merges the two clusters that are most alike until one is left, in exact integers. The distance
/// of a merge is how much less alike its clusters are than those of the first merge.
///
/// Found by the nearest-neighbour chain: none of the three makes a new cluster more alike to a
/// third one than both parts were, so clusters that are each other's nearest may be merged at any
/// time. Where several are equally near, the chain turns back if it can, else takes the one with
/// the smallest item. Cost: n^2 steps; 8 bytes for every pair of items. Throws InputError if they
/// do not fit into the memory of this machine.
Dendrogram link(const SparseMap& similarity, Linkage linkage, Run& run);

}  // namespace tertium::internal
