#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

/// A dense matrix, which must outlive the map.
class DenseMap : public SymmetricMap {
 public:
  explicit DenseMap(const Eigen::MatrixXd& matrix) : matrix_(matrix) {}

  [[nodiscard]] Eigen::Index size() const override { return matrix_.rows(); }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override { return matrix_.col(i); }

 private:
  const Eigen::MatrixXd& matrix_;
};

/// A constant on every block of two clusters: Z B Z'. The blocks must outlive the map, and so must
/// the labels.
class BlockConstantMap : public SymmetricMap {
 public:
  BlockConstantMap(const std::vector<std::int32_t>& labels, const Eigen::MatrixXd& blocks)
      : labels_(labels), blocks_(blocks) {}

  [[nodiscard]] Eigen::Index size() const override {
    return static_cast<Eigen::Index>(labels_.size());
  }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;

 private:
  const std::vector<std::int32_t>& labels_;
  const Eigen::MatrixXd& blocks_;
};

/// The sum of maps of the same size, each with a factor. They must outlive it.
class SumMap : public SymmetricMap {
 public:
  using Part = std::pair<double, const SymmetricMap*>;
  explicit SumMap(std::vector<Part> parts) : parts_(std::move(parts)) {}

  [[nodiscard]] Eigen::Index size() const override { return parts_.front().second->size(); }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;

 private:
  std::vector<Part> parts_;
};

/// C A C with C = I - 11'/n, on the space orthogonal to 1. `map` must outlive it; vectors must lie
/// in the space.
class CentredMap : public SymmetricMap {
 public:
  explicit CentredMap(const SymmetricMap& map) : map_(map) {}

  [[nodiscard]] Eigen::Index size() const override { return map_.size(); }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;
  void project(VectorBlock& block) const override { centre_columns(block); }

 private:
  const SymmetricMap& map_;
};

/// P A P with P = I - Z N^-1 Z', which takes the mean over its cluster away from every entry: A on
/// the space of vectors that sum to 0 over each cluster. `map` and `labels` must outlive it;
/// vectors must lie in the space.
class ProjectedMap : public SymmetricMap {
 public:
  ProjectedMap(const SymmetricMap& map, const std::vector<std::int32_t>& labels);

  [[nodiscard]] Eigen::Index size() const override { return map_.size(); }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;
  void project(VectorBlock& block) const override;

 private:
  const SymmetricMap& map_;
  const std::vector<std::int32_t>& labels_;
  Eigen::VectorXd sizes_;
};

/// A on the space orthogonal to the columns of `basis`, which are orthonormal. `map` and `basis`
/// must outlive it; vectors must lie in the space.
class ComplementMap : public SymmetricMap {
 public:
  ComplementMap(const SymmetricMap& map, const Eigen::MatrixXd& basis) : map_(map), basis_(basis) {}

  [[nodiscard]] Eigen::Index size() const override { return map_.size(); }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;
  void project(VectorBlock& block) const override;

 private:
  const SymmetricMap& map_;
  const Eigen::MatrixXd& basis_;
};

/// Takes the mean over its cluster away from every row. `sizes` are those of the clusters.
void project_out_clusters(const std::vector<std::int32_t>& labels, const Eigen::VectorXd& sizes,
                          VectorBlock& block);

}  // namespace tertium::internal
