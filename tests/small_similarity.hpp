#pragma once

#include <cmath>
#include <random>

#include <Eigen/Core>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// The exact matrix of a dense one with integer entries; the diagonal is left out.
inline SimilarityMatrix to_similarity(const Eigen::MatrixXd& dense, std::int64_t denominator = 1) {
  SimilarityMatrix result;
  result.denominator = denominator;
  result.row_start.push_back(0);
  for (Eigen::Index i = 0; i < dense.rows(); ++i) {
    result.items.push_back(std::to_string(i));
    for (Eigen::Index j = 0; j < i; ++j) {
      if (dense(i, j) == 0) continue;
      result.column.push_back(static_cast<std::uint32_t>(j));
      result.value.push_back(std::llround(dense(i, j) * static_cast<double>(denominator)));
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

inline Eigen::MatrixXd random_symmetric(int size, unsigned seed, int largest = 9) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> value(-largest, largest);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) matrix(i, j) = matrix(j, i) = value(random);
  }
  return matrix;
}

/// S of `answers` noisy triplets about items 0 .. size-1 in `clusters` groups (item i in group
/// i mod clusters): the option in the anchor's group is chosen with probability 3/4.
inline Eigen::MatrixXd planted_similarity(int size, int clusters, int answers, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> item(0, size - 1);
  std::bernoulli_distribution right(0.75);
  std::bernoulli_distribution coin(0.5);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (int answer = 0; answer < answers; ++answer) {
    const int anchor = item(random);
    int near = item(random);
    int far = item(random);
    if (near == anchor || far == anchor || near == far) continue;
    const bool near_inside = near % clusters == anchor % clusters;
    const bool far_inside = far % clusters == anchor % clusters;
    const bool swap = near_inside == far_inside ? coin(random) : near_inside != right(random);
    if (swap) std::swap(near, far);
    matrix(anchor, near) += 1;
    matrix(near, anchor) += 1;
    matrix(anchor, far) -= 1;
    matrix(far, anchor) -= 1;
  }
  return matrix;
}

/// f(Z) by its definition: the sum over clusters of (sum of S over ordered pairs inside)/size.
inline double value_by_definition(const Eigen::MatrixXd& similarity, const Labels& labels) {
  double value = 0;
  for (int a = 0; a < count_clusters(labels); ++a) {
    double inside = 0;
    double size = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != a) continue;
      ++size;
      for (std::size_t j = 0; j < labels.size(); ++j) {
        if (labels[j] == a) {
          inside += similarity(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        }
      }
    }
    if (size > 0) value += inside / size;
  }
  return value;
}

/// Calls `visit(labels)` for every partition of `size` items, into `clusters` clusters or, if that
/// is 0, any number: restricted growth strings.
template <typename Visit>
void for_each_partition(int size, int clusters, Visit&& visit) {
  Labels labels(static_cast<std::size_t>(size), 0);
  const auto descend = [&](const auto& self, int item, int used) -> void {
    if (item == size) {
      if (clusters == 0 || used == clusters) visit(labels);
      return;
    }
    for (int a = 0; a <= used; ++a) {
      labels[static_cast<std::size_t>(item)] = a;
      self(self, item + 1, std::max(used, a + 1));
    }
  };
  descend(descend, 0, 0);
}

/// The largest f(Z) - lambda * clusters, by trying all partitions.
inline double best_partition(const Eigen::MatrixXd& similarity, int clusters, double lambda) {
  double best = -1e300;
  for_each_partition(static_cast<int>(similarity.rows()), clusters, [&](const Labels& labels) {
    best =
        std::max(best, value_by_definition(similarity, labels) - lambda * count_clusters(labels));
  });
  return best;
}

}  // namespace tertium::internal
