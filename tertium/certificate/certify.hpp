#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "tertium/partition.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/search.hpp"

namespace tertium::internal {

struct CertifyOptions {
  std::size_t most_items_proved = 2500;  // above, dense Cholesky proofs give way to random vectors
  double failure_probability = 1e-12;    // of a probabilistic verdict, in (0, 1)
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
