#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "tertium/exact/proof_tree.hpp"
#include "tertium/exact/tied_partition.hpp"
#include "tertium/partition.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

struct ExactOptions {
  /// A branch is closed when nothing in it can be better by more than this share of |f|.
  double tolerance = 1e-6;
  int most_nodes = 1;  // of the tree, > 0
  /// Steps of the splitting times the square of the groups: about 10^7 a second on one core. The
  /// first 25 steps are taken in any case, and up to 200 where the end is in sight.
  double most_work = std::numeric_limits<double>::infinity();
  double most_seconds = std::numeric_limits<double>::infinity();
  /// Of most_work again, for the cores of a closed proof.
  double core_share = 0.25;
};

struct ExactResult {
  FoundPartition best;     // at least as good as the one to start from
  double upper_bound = 0;  // on f of every partition into as many clusters: rigorous
  bool closed = false;     // upper_bound is within the tolerance of the value of `best`
  bool stopped = false;    // not closed, since the caller of the run wanted it to end
  int nodes = 0;           // that were bounded, the root included
  std::size_t cuts = 0;    // with a multiplier, at the root
  double work = 0;         // that it took, as in ExactOptions
  ProofTree proof;         // of upper_bound, pruned; empty: none
  /// For every item the largest slack at which it is proved to belong to the core of its cluster
  /// (proved_cores.hpp); empty: not tried, as `closed` is not.
  std::vector<double> cores = {};
  /// Of `best`, if closed: another one that is as good, if one was met.
  std::optional<Tie> tie = {};
};

/// The best partition into as many clusters as `start` has, with a proof, or with a bound on what a
/// better one could gain: the semidefinite program with triangle cuts, aimed at the best partition
/// known, then branches on pairs of items that are together in one and apart in the other. For S
/// that fits into memory as a dense matrix several times. 2 <= clusters < items. Sums of S beyond
/// 2^53 are not proved: the bound is infinite then. The same at any number of threads, unless time
/// runs out or the caller of the run ends it early: what is proved by then holds.
ExactResult prove_best(const SparseMap& similarity, const FoundPartition& start,
                       const ExactOptions& options, Run& run);

}  // namespace tertium::internal
