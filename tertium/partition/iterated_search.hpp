#pragma once

#include "tertium/core/random.hpp"
#include "tertium/partition.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

struct IteratedOptions {
  /// The search ends when random starts have met the best value so often, and so many local optima
  /// were seen; or when all of the work is done.
  int meetings = 3;
  int fewest_optima = 200;
  /// Entries of sums that are changed or compared: some 10^9 a second.
  std::uint64_t most_work = 40'000'000;
};

/// Whether S is small enough that whole local searches take microseconds.
bool is_small(const SparseMap& similarity);

/// A partition into as many clusters as `start` has, all of them used, and at least as good: moves
/// of single items from many starts, some of them random, the others the best partition so far with
/// some items moved at random. Eigenvectors lead to the partition that stands out from noise; where
/// nothing does, as in small dense data about people, this finds what they miss. n x n numbers, so
/// for small S only. 2 <= clusters < items. Draws from `random`.
FoundPartition iterated_search(const SparseMap& similarity, const FoundPartition& start,
                               Random random, const IteratedOptions& options, Run& run);

}  // namespace tertium::internal
