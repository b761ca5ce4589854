#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tertium/cluster.hpp"
#include "tertium/confidence/bootstrap.hpp"
#include "tertium/confidence/null_test.hpp"
#include "tertium/planning/answer_need.hpp"
#include "tertium/problem/method.hpp"
#include "tertium/sdp/rounding.hpp"
#include "tertium/selection/heldout.hpp"
#include "tertium/selection/spur.hpp"

namespace tertium::internal {

/// An item that got no cluster: no chain of answers links it with the others.
struct LeftOutItem {
  std::uint32_t item = 0;
  std::uint32_t linked_with = 0;  // so many other items, which are left out as well
};

/// One result of the whole way. "Not computed" is empty.
struct Clustering {
  int clusters = 0;
  Labels labels;                         // per item of the similarity; -1: left out
  std::vector<std::uint32_t> clustered;  // the items that have a cluster, increasing
  std::vector<LeftOutItem> left_out;
  std::vector<std::vector<std::uint32_t>> members;  // per cluster, the most typical first

  double objective = 0;                    // f(Z), the value of the partition
  std::optional<double> upper_bound;       // on f of every partition into as many clusters
  std::optional<double> gap;               // (upper_bound - objective) / |objective|
  std::optional<Certificate> certificate;  // lo and hi: of the partition with the largest f found
  std::optional<ConsensusMoves> consensus;
  std::optional<ExactResult> proof;  // by cuts and branches; its items are `clustered`
  std::optional<Dendrogram> tree;    // that the clusters were cut from; leaves are `clustered`
  std::optional<double> revenue;     // of the tree, if sums of answers are known

  std::optional<SpurResult> spur;
  std::optional<HeldoutCurve> heldout;
  bool heldout_instead = false;  // chose the number, as SPUR's programs are too large to solve
  std::optional<NullTestResult> null_test;
  std::optional<BootstrapResult> bootstrap;  // its items are `clustered`
  std::optional<AnswerNeed> need;

  std::vector<std::string> warnings;
  double seconds = 0;

  /// The held-out point of the chosen number of clusters, or null.
  [[nodiscard]] const HeldoutPoint* heldout_point() const;
};

}  // namespace tertium::internal
