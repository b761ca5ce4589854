#pragma once

#include <vector>

#include "tertium/certificate/witness.hpp"
#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

/// What the negative entries of S come to, from every item to every other cluster: n x k, 0 to its
/// own.
VectorBlock negative_sums(const SparseMap& similarity, const Labels& labels, int clusters,
                          Run& run);

/// S + N for an N >= 0 that takes noise away (docs/certificate.md). N is 0 inside clusters. With
/// the row sums u of the witness at lambda, negative ones taken for 0, between a cluster a with
/// item i and a cluster b with item r it is the sum of
///
///   |S_ir| min(c_i^b, c_r^a) where S_ir < 0,  c_i^b = min(1, share u_i^b / (negative sum of i to
///   b)) v_i^b v_r^a / t_ab,  v_i^b = what is left of u_i^b,  t_ab the larger of the two sums of v
///
/// so that row sums are at most u; where no u is negative, they are u. Nothing n x n is formed;
/// memory: n x k.
class CancelledMap : public SymmetricMap {
 public:
  /// `similarity` and `witness` must outlive this. `negative` as above.
  CancelledMap(const SparseMap& similarity, const Witness& witness, const VectorBlock& negative,
               double lambda, double share, Run& run);

  [[nodiscard]] Eigen::Index size() const override { return similarity_.size(); }
  void multiply(const VectorBlock& x, VectorBlock& y, Run& run) const override;
  [[nodiscard]] Eigen::VectorXd row(Eigen::Index i) const override;

  /// 1'N1, rounded.
  [[nodiscard]] double sum_of_n() const { return sum_of_n_; }

 private:
  template <std::size_t Width>
  void multiply_rows(std::size_t from, std::size_t to, const VectorBlock& x, VectorBlock& y,
                     Eigen::Index first) const;
  void add_products(const VectorBlock& x, VectorBlock& y) const;
  template <typename Visit>
  void visit_row(std::size_t i, Visit&& visit) const;

  const SparseMap& similarity_;
  const Witness& witness_;
  std::size_t clusters_;
  std::vector<float> own_;     // c_i^b, item by item; 0 to the own cluster
  std::vector<float> others_;  // the same, cluster by cluster
  VectorBlock left_;           // v, n x k
  Eigen::MatrixXd totals_;     // t, 0 where there is nothing left
  double sum_of_n_ = 0;
};

}  // namespace tertium::internal
