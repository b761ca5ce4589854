#pragma once

#include <cstdint>
#include <vector>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/problem/reweighting.hpp"

namespace tertium::internal {

struct BootstrapOptions {
  int resamples = 0;  // 0: as many as `seconds` allow by the model of the cost
  /// Of one core of a usual machine, see resamples_for: by that model it decides from some
  /// 200 items on, down to 100 resamples.
  double seconds = 3;
};

/// How far a partition stays the same when the answers had been others.
struct BootstrapResult {
  int resamples = 0;
  bool over_participants = false;  // what was drawn: participants, or else answers
  double stability = 0;            // mean adjusted Rand index to the given partition
  std::vector<double> confidence;  // per item: share of resamples that leave it in its cluster
  std::vector<double> together;  // k x k: mean over pairs (i in a, j in b, i != j) of the share of
                                 // resamples that put them together; 1 for a cluster of one
  std::vector<Labels> labels;    // of every resample, clusters renamed to those given
};

/// Bootstrap with Poisson(1) weights: in every resample each answer counts 0, 1, 2, ... times; if
/// at least two participants are named, all answers of one participant count equally often instead,
/// since they are not independent (answers of nobody are drawn one by one). Each resample is
/// clustered by the method that made `labels`: a search begins with the eigenvectors of its own S
/// and, a second time, with `labels`, and the larger f wins. Its clusters are matched to the given
/// ones.
///
/// The eigenvectors of a resample come from a few block Lanczos steps that begin with those of
/// S of all answers and random vectors: the noise of a resample is far above what more steps would
/// still change. The second start makes a change count only if it is better, not if it is merely
/// where another search got stuck.
///
/// Memory: 4 n bytes per resample, and per thread 24 bytes per pair in the list.
BootstrapResult bootstrap(const ComparisonList& list, const Labels& labels,
                          const Refitting& refitting, const BootstrapOptions& options, Run& run);

/// Number of resamples that take about `seconds` by a model of the cost that only counts answers,
/// pairs, items and clusters, never the clock: the same input gives the same output. At least 100
/// up to 2000 items and 20 beyond, at most 1000; 20 with a slow method, and as few as 20 with a
/// rule that is more than sums.
int resamples_for(const ComparisonList& list, int clusters, const Refitting& refitting,
                  double seconds);

/// Share of resamples in which items i and j are together.
double together(const BootstrapResult& result, std::size_t i, std::size_t j);

/// In how many resamples two items are together, for all pairs j < i, at i (i-1) / 2 + j. 2 bytes a
/// pair: 4 MB for 2000 items. At most 65535 resamples.
std::vector<std::uint16_t> pairs_together(const std::vector<Labels>& resampled);

}  // namespace tertium::internal
