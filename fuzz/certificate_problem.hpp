#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

namespace tertium::fuzzing {

/// What the certificates of the corpus are about (fuzz/make_corpus.py has the same): six items in
/// two groups, 6 inside them and -2 across.
inline Eigen::MatrixXi certified_integers() {
  Eigen::MatrixXi integers(6, 6);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) integers(i, j) = i == j ? 0 : i % 2 == j % 2 ? 6 : -2;
  }
  return integers;
}

inline std::vector<std::uint32_t> certified_labels() { return {0, 1, 0, 1, 0, 1}; }

/// No partition has a larger value: the two groups.
inline constexpr double largest_value = 24;

}  // namespace tertium::fuzzing
