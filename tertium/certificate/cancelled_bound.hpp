#pragma once

#include <optional>

#include "tertium/certificate/cancelled_map.hpp"
#include "tertium/certificate/certify.hpp"

namespace tertium::internal {

/// An upper bound on f of all partitions into as many clusters as one of them has, by an N that
/// follows from that one and two numbers (docs/certificate.md).
struct CancelledBound {
  Labels labels;     // the partition that N follows from
  double value = 0;  // f of it
  double upper_bound = 0;
  double lambda = 0;
  double share = 0;
  Evidence level = Evidence::probabilistic;
  double failure_probability = 0;
};

/// The best such bound for the partition, at any size: nothing n x n is formed. 2 <= clusters <
/// items. Cost: some tens of products with S.
CancelledBound bound_by_cancelling(const SparseMap& similarity, const Labels& labels,
                                   const CertifyOptions& options, Run& run);

}  // namespace tertium::internal
