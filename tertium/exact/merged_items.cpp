#include "tertium/exact/merged_items.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Groups by the pairs that must be together, numbered by their first item.
std::vector<int> groups_of(int items, const std::vector<std::pair<int, int>>& together) {
  std::vector<int> root(static_cast<std::size_t>(items));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[static_cast<std::size_t>(i)] != i) i = root[static_cast<std::size_t>(i)];
    return i;
  };
  for (const auto& [a, b] : together) {
    const auto [low, high] = std::minmax({find(a), find(b)});
    root[static_cast<std::size_t>(high)] = low;
  }
  std::vector<int> group(root.size());
  int count = 0;
  for (int i = 0; i < items; ++i) {
    const int first = find(i);
    group[static_cast<std::size_t>(i)] =
        first == i ? count++ : group[static_cast<std::size_t>(first)];
  }
  return group;
}

}  // namespace

MergedItems merged_items(const SparseMap& similarity, const Demands& demands) {
  MergedItems merged;
  const auto items = static_cast<std::size_t>(similarity.size());
  merged.group = groups_of(static_cast<int>(items), demands.together);
  const Index size = 1 + *std::max_element(merged.group.begin(), merged.group.end());
  VectorXd count = VectorXd::Zero(size);
  merged.first.resize(static_cast<std::size_t>(size));
  merged.sums = MatrixXd::Zero(size, size);
  for (std::size_t i = items; i-- > 0;) {
    const Index g = merged.group[i];
    ++count[g];
    merged.first[static_cast<std::size_t>(g)] = static_cast<int>(i);
    similarity.visit_row(i, [&](std::uint32_t j, std::int64_t value) {
      merged.sums(merged.group[j], g) += static_cast<double>(value);
    });
  }
  merged.root = count.cwiseSqrt();
  const VectorXd inverse = merged.root.cwiseInverse();
  merged.scaled =
      inverse.asDiagonal() * merged.sums * inverse.asDiagonal() / similarity.denominator();
  merged.must_part = MatrixXd::Zero(size, size);
  for (const auto& [a, b] : demands.apart) {
    const Index g = merged.group[static_cast<std::size_t>(a)];
    const Index h = merged.group[static_cast<std::size_t>(b)];
    if (g == h) merged.possible = false;
    merged.must_part(g, h) = merged.must_part(h, g) = 1;
  }
  return merged;
}

bool obeys(const Labels& labels, const Demands& demands) {
  const auto same = [&](const std::pair<int, int>& pair) {
    return labels[static_cast<std::size_t>(pair.first)] ==
           labels[static_cast<std::size_t>(pair.second)];
  };
  return std::all_of(demands.together.begin(), demands.together.end(), same) &&
         std::none_of(demands.apart.begin(), demands.apart.end(), same);
}

MatrixXd point_of(const MergedItems& items, const Labels& labels) {
  VectorXd sizes = VectorXd::Zero(count_clusters(labels));
  for (const std::int32_t label : labels) ++sizes[label];
  MatrixXd point = MatrixXd::Zero(items.size(), items.size());
  const auto label_of = [&](Index g) {
    return labels[static_cast<std::size_t>(items.first[static_cast<std::size_t>(g)])];
  };
  for (Index g = 0; g < items.size(); ++g) {
    for (Index h = 0; h < items.size(); ++h) {
      if (label_of(g) != label_of(h)) continue;
      point(h, g) = items.root[g] * items.root[h] / sizes[label_of(g)];
    }
  }
  return point;
}

void take_out_direction(MatrixXd& matrix, const VectorXd& direction) {
  const double squared = direction.squaredNorm();
  const VectorXd along = matrix * direction / squared;
  const VectorXd shift = along - direction * (direction.dot(along) / (2 * squared));
  for (Index j = 0; j < matrix.cols(); ++j) {
    matrix.col(j) -= shift * direction[j] + direction * shift[j];
  }
}

}  // namespace tertium::internal
