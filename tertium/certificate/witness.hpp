#pragma once

#include <Eigen/Core>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/spectral/composed_maps.hpp"

namespace tertium::internal {

/// The dual witness of a partition in product form (docs/certificate.md), for items i in cluster j
/// and clusters l other than j:
///
///   u_i^l = n_l [(M_ij - M_il) + (B_ll - B_jj)/2 - lambda (1/(2 n_j) + 1/(2 n_l))]
///   Gamma_ir = u_i^l u_r^j / t_jl,  t_jl = the sum of u_i^l over j;  0 inside clusters
///
/// The row sums u are forced by complementary slackness: every witness has them. Nothing n x n is
/// formed; memory n x k.
class Witness {
 public:
  Witness(const SparseMap& similarity, Labels labels, Run& run);

  [[nodiscard]] int clusters() const { return clusters_; }
  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] const Eigen::VectorXd& sizes() const { return sizes_; }
  [[nodiscard]] const Eigen::MatrixXd& means() const { return means_; }         // M, n x k
  [[nodiscard]] const Eigen::MatrixXd& block_means() const { return blocks_; }  // B, k x k

  /// All u are positive for lambda below this; infinite for one cluster.
  [[nodiscard]] double highest() const { return highest_; }
  /// How far `highest` can be off by rounding, generously.
  [[nodiscard]] double highest_error() const;

  /// u at lambda, n x k; 0 in the column of an item's own cluster.
  [[nodiscard]] Eigen::MatrixXd row_sums(double lambda) const;
  /// t at lambda, k x k; the diagonal is 0.
  [[nodiscard]] Eigen::MatrixXd totals(double lambda) const;

  /// Gamma(lambda) as a dense n x n matrix, symmetric to the last bit.
  [[nodiscard]] Eigen::MatrixXd matrix(double lambda) const;

  /// P x: takes the mean over its cluster away from every entry.
  void project(VectorBlock& block) const { project_out_clusters(labels_, sizes_, block); }
  /// An upper bound on || P (Gamma(a) - Gamma(b)) P ||, for a and b below `highest`.
  [[nodiscard]] double change(double a, double b) const;

 private:
  Labels labels_;
  int clusters_;
  Eigen::VectorXd sizes_;
  Eigen::MatrixXd means_;
  Eigen::MatrixXd blocks_;
  double highest_;
  double scale_ = 0;  // the largest term in `highest`
};

/// Gamma(lambda) between clusters as products of u, centred over each cluster, which is all that
/// counts where P acts on both sides. The witness must outlive it.
class GammaMap : public SymmetricMap {
 public:
  GammaMap(const Witness& witness, double lambda);

  [[nodiscard]] Eigen::Index size() const override { return u_.rows(); }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;

 private:
  const Witness& witness_;
  VectorBlock u_;
  Eigen::MatrixXd t_;
};

}  // namespace tertium::internal
