#pragma once

#include <cstdint>
#include <functional>

#include <Eigen/Core>

#include "tertium/core/random.hpp"
#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

/// The ends of the spectrum as far as they are known after some steps.
struct RitzRange {
  double top = 0;     // at most the largest eigenvalue
  double lowest = 0;  // at least the smallest
  int steps = 0;
};

struct KrylovOptions {
  int block = 8;         // vectors per step, > 0
  int most_steps = 40;   // block products, > 0
  double tolerance = 0;  // stop when the wanted residuals are below this times the norm; 0: never
  Eigen::Index accurate = 0;  // only the first so many must be that accurate; 0: all wanted
  Random random{1};           // of the random start
  Eigen::MatrixXd start;      // columns that take the place of the first random ones; may be empty
  std::function<bool(const RitzRange&)> enough;  // asked every few steps; true stops
};

/// The ends of the spectrum of a symmetric map, as seen from a block Krylov space.
struct KrylovResult {
  Eigen::VectorXd values;   // Ritz values, decreasing: each at most the eigenvalue of its rank
  Eigen::MatrixXd vectors;  // orthonormal Ritz vectors of the first ones, as many as were wanted
  RitzRange range;
  bool complete = false;  // the space became invariant: all its values are eigenvalues
};

/// Block Lanczos with full reorthogonalisation from a random start (or a given one), for `wanted`
/// >= 0 leading eigenpairs of the map on the space that it acts on. Memory: size x block x
/// (steps + 2) doubles.
KrylovResult leading_eigenpairs(const SymmetricMap& map, Eigen::Index wanted,
                                const KrylovOptions& options, Run& run);

/// An upper bound on the largest eigenvalue that holds but for a small probability over the random
/// start (no given one). Kuczynski and Wozniakowski (1992): after q steps from a uniformly random
/// start, the top Ritz value xi misses the top eigenvalue by more than e (top - bottom) with
/// probability at most 1.648 sqrt(n) exp(-(2q-1) sqrt(e)). A block Krylov space contains those of
/// its b independent starts, so it fails only if all of them do: the probability to the power b.
/// The same holds at the bottom (zeta), and so top <= xi + e (xi - zeta) / (1 - 2e), but for twice
/// that probability.
struct LargestEigenvalue {
  double ritz = 0;   // at most the largest eigenvalue
  double upper = 0;  // at least the largest eigenvalue, but for `failure_probability`
  double failure_probability = 0;
};
LargestEigenvalue largest_eigenvalue(const RitzRange& range, Eigen::Index size, int block,
                                     double failure_probability);

}  // namespace tertium::internal
