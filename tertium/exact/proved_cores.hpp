#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "tertium/exact/cut_splitting.hpp"
#include "tertium/partition.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

struct CoreOptions {
  /// Shares of |f|, increasing.
  std::vector<double> slacks = {0.001, 0.01};
  double most_work = std::numeric_limits<double>::infinity();  // as in ExactOptions
  std::function<bool()> should_end = [] { return false; };     // from any thread
};

/// For every item the largest slack for which it is proved to belong to the core of its cluster; 0:
/// none. The core at a slack is a set of at least two items of one cluster that are all together in
/// every partition into as many clusters whose value is at least that of `best` less this share of
/// |f|. `from` is where the program of all partitions ended. The same at any number of threads,
/// unless it should end.
std::vector<double> proved_cores(const SparseMap& similarity, const FoundPartition& best,
                                 const CutSplitting::Start& from, const CoreOptions& options,
                                 Run& run);

}  // namespace tertium::internal
