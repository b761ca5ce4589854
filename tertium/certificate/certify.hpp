#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "tertium/partition/cluster_sums.hpp"

namespace tertium {

/// What is known about a partition X* = Z N^-1 Z' with k clusters.
enum class Verdict {
  optimal,      // the unique optimum of SDP-k, and of SDP-lambda for lo <= lambda <= hi
  not_optimal,  // some feasible point of SDP-k is better
  undecided     // neither could be shown
};

/// How well the verdict is supported.
enum class Evidence {
  proved,         // by arithmetic that accounts for rounding
  probabilistic,  // but for `failure_probability` over random vectors that we drew
  estimated       // by numbers without a bound on their error
};

std::string_view to_string(Verdict verdict);  // "optimal", "not optimal", "undecided"
std::string_view to_string(Evidence evidence);

/// The interval of lambda in which a partition is the unique optimum of SDP-lambda. With the
/// verdict `optimal`, both ends are inside of it. Else lo is what lambda would have to exceed and
/// hi is what it would have to stay below for the witness to work, and lo >= hi.
struct Certificate {
  Verdict verdict = Verdict::undecided;
  std::optional<double> lo;  // none: no lower end (every item is its own cluster)
  std::optional<double> hi;  // none: no upper end (one cluster)
  Evidence level = Evidence::estimated;
  double failure_probability = 0;  // of the verdict; 0 unless probabilistic
};

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

}  // namespace tertium
