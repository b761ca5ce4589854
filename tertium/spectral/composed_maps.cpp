#include "tertium/spectral/composed_maps.hpp"

#include <algorithm>

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Row i of Q A Q for a projection Q: Q (A (Q e_i)).
VectorXd projected_row(const SymmetricMap& projected, Index i) {
  VectorBlock x = VectorBlock::Zero(projected.size(), 1);
  x(i, 0) = 1;
  projected.project(x);
  VectorBlock y;
  Run run({.threads = 1});
  projected.multiply(x, y, run);
  return y.col(0);
}

VectorXd sizes_of(const std::vector<std::int32_t>& labels) {
  const auto last = std::max_element(labels.begin(), labels.end());
  VectorXd sizes = VectorXd::Zero(last == labels.end() ? 0 : *last + 1);
  for (const std::int32_t label : labels) ++sizes[label];
  return sizes;
}

}  // namespace

void DenseMap::multiply(const VectorBlock& x, VectorBlock& y, Run& /*run*/) const {
  y.resize(x.rows(), x.cols());
  y.noalias() = matrix_ * x;
}

void BlockConstantMap::multiply(const VectorBlock& x, VectorBlock& y, Run& /*run*/) const {
  VectorBlock sums = VectorBlock::Zero(blocks_.rows(), x.cols());
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    sums.row(labels_[i]) += x.row(static_cast<Index>(i));
  }
  const VectorBlock means = blocks_ * sums;
  y.resize(x.rows(), x.cols());
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    y.row(static_cast<Index>(i)) = means.row(labels_[i]);
  }
}

VectorXd BlockConstantMap::row(Index i) const {
  VectorXd entries(size());
  const auto own = labels_[static_cast<std::size_t>(i)];
  for (Index j = 0; j < size(); ++j) {
    entries[j] = blocks_(own, labels_[static_cast<std::size_t>(j)]);
  }
  return entries;
}

void SumMap::multiply(const VectorBlock& x, VectorBlock& y, Run& run) const {
  VectorBlock part;
  bool first = true;
  for (const auto& [factor, map] : parts_) {
    VectorBlock& target = first ? y : part;
    map->multiply(x, target, run);
    if (first) {
      if (factor != 1) y *= factor;
    } else {
      y += factor * part;
    }
    first = false;
  }
}

VectorXd SumMap::row(Index i) const {
  VectorXd sum = VectorXd::Zero(size());
  for (const auto& [factor, map] : parts_) sum += factor * map->row(i);
  return sum;
}

void CentredMap::multiply(const VectorBlock& x, VectorBlock& y, Run& run) const {
  map_.multiply(x, y, run);
  centre_columns(y);
}

VectorXd CentredMap::row(Index i) const { return projected_row(*this, i); }

ProjectedMap::ProjectedMap(const SymmetricMap& map, const std::vector<std::int32_t>& labels)
    : map_(map), labels_(labels), sizes_(sizes_of(labels)) {}

void ProjectedMap::multiply(const VectorBlock& x, VectorBlock& y, Run& run) const {
  map_.multiply(x, y, run);
  project(y);
}

VectorXd ProjectedMap::row(Index i) const { return projected_row(*this, i); }

void ProjectedMap::project(VectorBlock& block) const {
  project_out_clusters(labels_, sizes_, block);
}

void ComplementMap::multiply(const VectorBlock& x, VectorBlock& y, Run& run) const {
  map_.multiply(x, y, run);
  project(y);
}

VectorXd ComplementMap::row(Index i) const { return projected_row(*this, i); }

void ComplementMap::project(VectorBlock& block) const {
  const MatrixXd inside = basis_.transpose() * block;
  block.noalias() -= basis_ * inside;
}

void project_out_clusters(const std::vector<std::int32_t>& labels, const VectorXd& sizes,
                          VectorBlock& block) {
  VectorBlock means = VectorBlock::Zero(sizes.size(), block.cols());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    means.row(labels[i]) += block.row(static_cast<Index>(i));
  }
  means.array().colwise() /= sizes.array();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    block.row(static_cast<Index>(i)) -= means.row(labels[i]);
  }
}

}  // namespace tertium::internal
