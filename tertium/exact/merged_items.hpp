#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include "tertium/partition.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

/// What a branch of the search demands of a partition.
struct Demands {
  std::vector<std::pair<int, int>> together;  // pairs of items
  std::vector<std::pair<int, int>> apart;
};

/// The items with those that must be together as one. A partition that obeys is a matrix over
/// groups g of e_g items each,
///
///   W_gh = sqrt(e_g e_h) X_gh,   v_g = sqrt(e_g):   W v = v,  0 <= W <= I,  tr W = k
///
/// and its value is <S,W> with S_gh = the sum of S between g and h, over sqrt(e_g e_h).
struct MergedItems {
  std::vector<int> group;     // of every item, numbered by the first item
  std::vector<int> first;     // item of every group
  Eigen::VectorXd root;       // sqrt(e_g)
  Eigen::MatrixXd sums;       // of the integers of S between groups: exact below 2^53
  Eigen::MatrixXd scaled;     // sums / sqrt(e_g e_h) / denominator
  Eigen::MatrixXd must_part;  // 1 for groups that must be apart, else 0
  bool possible = true;       // no pair must be both

  [[nodiscard]] Eigen::Index size() const { return root.size(); }
  [[nodiscard]] double items() const { return static_cast<double>(group.size()); }
};

MergedItems merged_items(const SparseMap& similarity, const Demands& demands);

/// Whether the labels do as demanded.
bool obeys(const Labels& labels, const Demands& demands);

/// W of a partition that obeys.
Eigen::MatrixXd point_of(const MergedItems& items, const Labels& labels);

/// Takes the direction v out of both sides: C A C with C = I - vv'/n.
void take_out_direction(Eigen::MatrixXd& matrix, const Eigen::VectorXd& direction);

}  // namespace tertium::internal
