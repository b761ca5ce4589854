#pragma once

#include <Eigen/Core>

#include "tertium/partition/cluster_sums.hpp"

namespace tertium {

/// X = (1-t) (11'/n + V diag(c) V') + t (a I + (1-a) 11'/n): V orthonormal and orthogonal to 1,
/// 0 <= c <= 1. PSD with X1 = 1 by construction; the second point has positive entries and, with
/// a = (tr - 1)/(n - 1), the trace of the first, and is mixed in just as much as makes every entry
/// nonnegative.
struct FactoredPoint {
  Eigen::MatrixXd vectors;   // V, n x r
  Eigen::VectorXd weights;   // c
  double mixed = 0;          // t
  double identity_part = 0;  // a

  [[nodiscard]] double trace() const { return 1 + weights.sum(); }
  /// All n eigenvalues, decreasing.
  [[nodiscard]] Eigen::VectorXd eigenvalues() const;
  /// Those of the first point alone, t = 0.
  [[nodiscard]] Eigen::VectorXd eigenvalues_before_repair() const;
  [[nodiscard]] Eigen::MatrixXd matrix() const;
};

/// The feasible point nearest on that segment, given the smallest entry of 11'/n + V diag(c) V'.
FactoredPoint make_feasible(Eigen::MatrixXd vectors, Eigen::VectorXd weights,
                            double smallest_entry);

/// Z N^-1 Z', the point of a partition.
FactoredPoint partition_point(const Labels& labels);

}  // namespace tertium
