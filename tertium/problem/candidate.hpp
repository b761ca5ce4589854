#pragma once

#include <cstdint>
#include <optional>

#include "tertium/certificate/certify.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

/// Items that are not where the partition with the largest f(Z) found has them, but where most of
/// the partitions that are nearly as good do.
struct ConsensusMoves {
  std::uint32_t moved = 0;    // so many items, at least 1
  double best_objective = 0;  // the largest f(Z) found
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
};

}  // namespace tertium::internal
