#pragma once

#include <cstdint>
#include <optional>

#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"
#include "tertium/verify/partition.hpp"

namespace tertium::internal::verifying {

/// What the Lanczos method found about the largest eigenvalue of P (S + Gamma) P on the range of P.
struct LargestEigenvalue {
  double at_least = 0;            // a Ritz value: certain but for rounding
  std::optional<double> at_most;  // holds but for the probability asked for; empty: not known
  int steps = 0;
};

/// A symmetric matrix on a space of vectors.
class RestrictedMatrix {
 public:
  virtual ~RestrictedMatrix() = default;
  [[nodiscard]] virtual Eigen::Index size() const = 0;       // of the vectors
  [[nodiscard]] virtual Eigen::Index dimension() const = 0;  // of the space
  /// Takes a vector into the space.
  virtual void project(Eigen::VectorXd& v) const = 0;
  /// What the matrix makes of a vector in the space, in the space.
  [[nodiscard]] virtual Eigen::VectorXd apply(const Eigen::VectorXd& v) const = 0;

 protected:
  RestrictedMatrix() = default;
  RestrictedMatrix(const RestrictedMatrix&) = default;
  RestrictedMatrix(RestrictedMatrix&&) = default;
  RestrictedMatrix& operator=(const RestrictedMatrix&) = default;
  RestrictedMatrix& operator=(RestrictedMatrix&&) = default;
};

/// A number from the system's entropy: whoever made a certificate could not know it.
std::uint64_t fresh_seed();

/// The largest eigenvalue by the Lanczos method with full reorthogonalisation from a random start,
/// stopped as soon as the bound below decides whether it is below `limit`. `error` is how far it
/// may be from that of the matrix that is meant.
///
/// After q steps in m dimensions with largest and smallest Ritz values xi and zeta, a random start
/// misses the largest eigenvalue by more than e (largest - smallest) with a probability of at most
/// 1.648 sqrt(m) exp(-(2q-1) sqrt(e)) (Kuczynski and Wozniakowski, SIAM J. Matrix Anal. Appl. 13,
/// 1992, theorem 4.2); likewise at the other end. If neither happens, the largest eigenvalue is at
/// most xi + e (xi - zeta) / (1 - 2e). The probability is over the draw of `seed`, which must not
/// be known to whoever chose S and the partition. It does not cover rounding: that is allowed for
/// by n times the machine precision times the spread of the Ritz values.
///
/// Memory: a vector per step, at most 512.
LargestEigenvalue bound_largest_eigenvalue(const RestrictedMatrix& matrix, double limit,
                                           double error, double failure_probability,
                                           std::uint64_t seed, const Progress& progress = {});

/// Condition 2 that way: S is used as it is stored and Gamma by its blocks.
LargestEigenvalue bound_largest_eigenvalue(const IntegerTriangle& similarity,
                                           const Partition& partition,
                                           const Multipliers& multipliers,
                                           double failure_probability, std::uint64_t seed,
                                           const Progress& progress = {});

}  // namespace tertium::internal::verifying
