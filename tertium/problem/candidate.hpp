#pragma once

#include <cstdint>
#include <optional>

#include "tertium/certificate/certify.hpp"
#include "tertium/dendrogram.hpp"
#include "tertium/exact/best_partition.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

/// Items that most of the partitions that are nearly as good have elsewhere than the partition with
/// the largest f(Z) found.
struct ConsensusMoves {
  std::uint32_t moved = 0;    // so many items, at least 1
  double best_objective = 0;  // the largest f(Z) found
  bool taken = true;          // the labels have moved; else only this is known
};

/// A clustering into k clusters, as a method makes it. "Not computed" is empty: a clustering
/// without a bound is a clustering.
struct Candidate {
  int clusters = 0;
  Labels labels;
  double value = 0;                        // f(Z) of the labels
  std::optional<double> upper_bound;       // on f of every partition into as many clusters
  std::optional<Certificate> certificate;  // lo and hi: of the partition with the largest f found
  std::optional<ConsensusMoves> consensus;
  std::optional<ExactResult> proof;  // by cuts and branches, if it was tried
  std::optional<Dendrogram> tree;    // that the clusters were cut from

  [[nodiscard]] bool is_proved() const {
    return (certificate && certificate->verdict == Verdict::optimal) || (proof && proof->closed);
  }
};

}  // namespace tertium::internal
