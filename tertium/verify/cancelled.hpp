#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"
#include "tertium/verify/partition.hpp"

namespace tertium::internal::verifying {

/// S + N for the N of docs/certificate.md that labels, lambda and share define. The weights c and
/// the remainders v are whatever floating point makes of their formulas, not below 0: with them as
/// they are, N is symmetric and has no negative entry, so only what is done with N can err.
class CancelledSums {
 public:
  /// All must outlive it. Throws Refusal for numbers that lead to infinite ones.
  CancelledSums(const IntegerTriangle& similarity, const Partition& partition, double lambda,
                double share);

  [[nodiscard]] Eigen::Index size() const { return partition_.to_cluster.rows(); }
  /// (S + N) x, column by column.
  [[nodiscard]] Eigen::MatrixXd times(const Eigen::MatrixXd& x) const;
  /// N, written out.
  [[nodiscard]] Eigen::MatrixXd dense() const;
  /// 1'(S + N)1/n, at least.
  [[nodiscard]] double mean_row_sum() const;
  /// The Frobenius norm of S + N, at most.
  [[nodiscard]] double norm() const { return norm_; }

 private:
  [[nodiscard]] Eigen::Index cluster(std::size_t i) const {
    return static_cast<Eigen::Index>(partition_.cluster[i]);
  }
  template <class Visit>
  void visit_pairs(const Visit& visit) const;
  void set_weights(double lambda, double share);
  void set_remainders();

  const IntegerTriangle& similarity_;
  const Partition& partition_;
  Eigen::MatrixXd weight_;     // c, n x k
  Eigen::MatrixXd remainder_;  // v, n x k
  Eigen::MatrixXd total_;      // t, k x k; 0: no products between these clusters
  double sum_of_n_ = 0;
  double norm_ = 0;
};

/// A bound on the value of all partitions into as many clusters, with all rounding, that holds but
/// for the probability that is asked for: at most `enough` if the Lanczos method can show that.
///
/// For orthonormal V of k - 1 columns across 1, T = V'AV with eigenvalues theta, R what AV is
/// across 1 and V, and no eigenvalue of A across 1 and V above m: A is, on the space across 1, at
/// most diag(T + d, m + |R|^2 / d) for every d > 0, so that the k - 1 largest eigenvalues have at
/// most the sum of max(theta + d, m + |R|^2 / d). V is found by a few steps from the clusters.
double cancelled_bound(const CancelledSums& sums, const Partition& partition, double enough,
                       double failure_probability, std::uint64_t seed, const Progress& progress);

}  // namespace tertium::internal::verifying
