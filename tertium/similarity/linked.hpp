#pragma once

#include <cstdint>
#include <vector>

#include "tertium/similarity.hpp"

namespace tertium::internal {

/// Items are linked if a chain of pairs with S_ij != 0 joins them.
struct LinkedItems {
  std::vector<std::uint32_t> main;  // the largest linked group, increasing (ties: the first)
  struct Rest {
    std::uint32_t item = 0;
    std::uint32_t group_size = 0;  // how many items its own group has: 1 if nothing links it
  };
  std::vector<Rest> rest;  // all others, increasing
};

/// Cost: one walk over the nonzeros.
LinkedItems linked_items(const SimilarityMatrix& similarity);

/// The similarity of some of the items (increasing): its rows and columns, the rest left out. What
/// is counted over answers (comparisons, weight) stays that of the whole; mentions and anchors are
/// those of the items kept.
SimilarityMatrix restricted(const SimilarityMatrix& similarity,
                            const std::vector<std::uint32_t>& items);

}  // namespace tertium::internal
