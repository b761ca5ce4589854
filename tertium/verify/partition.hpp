#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "tertium/integer_triangle.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::internal::verifying {

/// A partition of the rows of S and the sums of S that it needs. The sums are exact integers,
/// divided once: each number has a relative error of at most 2 unit_roundoff.
struct Partition {
  std::vector<std::uint32_t> cluster;  // of each item, from 0
  Eigen::VectorXd size;                // of each cluster
  Eigen::MatrixXd to_cluster;          // n x k: sum of S from item i to the members of l
  Eigen::MatrixXd block;               // k x k: sum of S over block (j,l)
  double value = 0;                    // f = sum of block(j,j) / size(j)
  double value_scale = 0;              // the same with absolute values, for what rounding can do
};

/// Throws InputError if a sum leaves 64 bits.
Partition sum_over_clusters(const IntegerTriangle& similarity,
                            const std::vector<std::uint32_t>& cluster, std::size_t clusters);

/// Refuses an `objective` that is not the value of the partition, but for what rounding can do, and
/// an upper bound that is below it.
void check_objective(const Claim& claim, const Partition& partition);

/// u and t of docs/certificate.md at one lambda. They define Gamma, which is never formed.
struct Multipliers {
  double lambda = 0;
  Eigen::MatrixXd u;       // n x k: u_i^l; 0 where l is the cluster of i
  Eigen::MatrixXd t;       // k x k: t_jl; 0 on the diagonal
  double gamma_norm = 0;   // Frobenius norm of Gamma as given by these u and t
  double gamma_error = 0;  // Frobenius norm of its difference from the exact Gamma, at most
};

/// Checks condition 1, u > 0, with rounding to the side of refusing. `end` is the name of this
/// lambda for the reason. Throws Refusal.
Multipliers check_multipliers(const Claim& claim, const Partition& partition, double lambda,
                              std::string_view end);

}  // namespace tertium::internal::verifying
