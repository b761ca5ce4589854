#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "tertium/core/random.hpp"
#include "tertium/partition/local_search.hpp"
#include "tertium/problem/candidate.hpp"
#include "tertium/spectral/krylov.hpp"

namespace tertium::internal {

class Problem;

/// What a refit begins with.
struct RefitStart {
  std::vector<Labels> labels;                       // partitions into as many clusters, all used
  std::function<const KrylovResult&()> eigenpairs;  // leading ones of S, found when asked for
  int restarts = 3;                                 // of a search, > 0
  bool whole_clusters = true;                       // of a search: merge and split clusters, too
  SplitDirections* splits = nullptr;                // of a search: known ones of this S; or null
  Random random{1};
};

/// A way to cluster: a file and a row in methods/method_table.cpp.
struct Method {
  std::string_view name;         // as `--method` has it
  std::string_view description;  // one line for people

  /// Wants certificates, and programs solved from the best partition; else programs are solved as
  /// the paper prints them. No matter for a method that asks for neither.
  bool certificates = true;
  /// A refit takes seconds instead of milliseconds: fewer resamples, and held-out answers only for
  /// numbers of clusters that matter.
  bool slow = false;
  /// Goes over the answers themselves, which the problem then has: sums are not enough.
  bool needs_answers = false;

  /// The clustering into k clusters, all used, numbered as you like; 1 <= k <= items. What it needs
  /// on the way (partitions, certificates, programs) it asks the problem for.
  Candidate (*cluster)(Problem& problem, int clusters) = nullptr;
  /// The same for answers of which some count more and some less, as folds and resamples have them:
  /// only labels, as quickly as can be.
  Labels (*refit)(Problem& problem, int clusters, const RefitStart& start) = nullptr;
};

}  // namespace tertium::internal
