#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "tertium/partition.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/search.hpp"

namespace tertium::internal {

struct CertifyOptions {
  /// Above, dense Cholesky proofs give way to random vectors. A proof takes 0.3 s more with
  /// 2500 items, two seconds and 130 MB with 5000, and makes the interval longer by a fifth.
  std::size_t most_items_proved = 2500;
  /// Of a probabilistic verdict, in (0, 1): next to nothing beside what else may go wrong in a
  /// study. 1e-6 makes the interval longer by a quarter, 1e-24 loses 4 of 16 certificates near the
  /// threshold.
  double failure_probability = 1e-12;
};

/// A feasible point of SDP-k that is better than the partition, by more than rounding, proves that
/// the partition is not the optimum: says so in the certificate of the partition.
void note_better_point(Certificate& certificate, double partition_value, double point_value);

/// Tries to prove the partition optimal, else to prove that it is not (docs/certificate.md). Cost:
/// some tens of products with S; up to `most_items_proved` items also a few dense Cholesky
/// factorisations, above nothing n x n is formed.
Certificate certify(const SparseMap& similarity, const Labels& labels,
                    const CertifyOptions& options, Run& run);

}  // namespace tertium::internal
