#include "tertium/verify/cancelled.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "tertium/verify/lanczos.hpp"
#include "tertium/verify/parse.hpp"
#include "tertium/verify/rounding.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
__extension__ using Wide = __int128;

/// Products with A from the clusters: where the partition is nearly the best, V has converged then.
constexpr int most_powers = 7;

}  // namespace

CancelledSums::CancelledSums(const IntegerTriangle& similarity, const Partition& partition,
                             double lambda, double share)
    : similarity_(similarity), partition_(partition) {
  set_weights(lambda, share);
  set_remainders();
  double squared_s = 0;
  const auto denominator = static_cast<double>(similarity.denominator);
  for (const std::int64_t value : similarity.value) {
    const double s = static_cast<double>(value) / denominator;
    squared_s += 2 * s * s;
  }
  // Where N takes something of S away, no more than S itself.
  norm_ += std::sqrt(squared_s);
  if (!std::isfinite(norm_) || !std::isfinite(sum_of_n_)) {
    refuse("lambda", "numbers that lead to infinite ones", "numbers that prove a finite bound");
  }
}

/// Calls visit(i, j, S_ij, N_ij without the products) for all pairs.
template <class Visit>
void CancelledSums::visit_pairs(const Visit& visit) const {
  const auto denominator = static_cast<double>(similarity_.denominator);
  for (std::size_t i = 0; i < similarity_.size(); ++i) {
    const Index a = cluster(i);
    for (std::size_t at = similarity_.row_start[i]; at < similarity_.row_start[i + 1]; ++at) {
      const std::size_t j = similarity_.column[at];
      const double s = static_cast<double>(similarity_.value[at]) / denominator;
      const double n = s < 0 ? -s * std::min(weight_(static_cast<Index>(i), cluster(j)),
                                             weight_(static_cast<Index>(j), a))
                             : 0;
      visit(static_cast<Index>(i), static_cast<Index>(j), s, n);
    }
  }
}

/// c, from u and the negative sums.
void CancelledSums::set_weights(double lambda, double share) {
  const VectorXd& n = partition_.size;
  const MatrixXd& sums = partition_.to_cluster;
  weight_ = MatrixXd::Zero(sums.rows(), sums.cols());  // the negative sums, until c is known
  remainder_ = weight_;                                // u, until v is known
  const auto denominator = static_cast<double>(similarity_.denominator);
  for (std::size_t i = 0; i < similarity_.size(); ++i) {
    for (std::size_t at = similarity_.row_start[i]; at < similarity_.row_start[i + 1]; ++at) {
      const std::size_t j = similarity_.column[at];
      const double s = static_cast<double>(similarity_.value[at]) / denominator;
      if (s >= 0 || cluster(i) == cluster(j)) continue;
      weight_(static_cast<Index>(i), cluster(j)) -= s;
      weight_(static_cast<Index>(j), cluster(i)) -= s;
    }
  }
  for (Index i = 0; i < sums.rows(); ++i) {
    const Index a = cluster(static_cast<std::size_t>(i));
    const double own = sums(i, a) / n(a) - partition_.block(a, a) / (2 * n(a) * n(a));
    for (Index b = 0; b < sums.cols(); ++b) {
      if (b == a) continue;
      const double other = sums(i, b) / n(b) - partition_.block(b, b) / (2 * n(b) * n(b));
      const double u = n(b) * (own - other - lambda * (1 / (2 * n(a)) + 1 / (2 * n(b))));
      const double negative = weight_(i, b);
      remainder_(i, b) = std::max(0.0, u);
      weight_(i, b) = negative > 0 ? std::min(1.0, share * remainder_(i, b) / negative) : 0.0;
    }
  }
}

/// v and t, and what is known about N then.
void CancelledSums::set_remainders() {
  const Index k = remainder_.cols();
  visit_pairs([&](Index i, Index j, double /*s*/, double n) {
    remainder_(i, cluster(static_cast<std::size_t>(j))) -= n;
    remainder_(j, cluster(static_cast<std::size_t>(i))) -= n;
    sum_of_n_ += 2 * n;
  });
  remainder_ = remainder_.cwiseMax(0);
  MatrixXd sums = MatrixXd::Zero(k, k);
  MatrixXd squares = sums;
  for (Index i = 0; i < remainder_.rows(); ++i) {
    const Index a = cluster(static_cast<std::size_t>(i));
    sums.row(a) += remainder_.row(i);
    squares.row(a) += remainder_.row(i).cwiseAbs2();
  }
  total_ = sums.cwiseMax(sums.transpose());
  double squared = 0;
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b < k; ++b) {
      if (!(total_(a, b) > std::numeric_limits<double>::min())) total_(a, b) = 0;
      if (total_(a, b) == 0) continue;
      sum_of_n_ += sums(a, b) * (sums(b, a) / total_(a, b));
      squared += squares(a, b) / total_(a, b) * (squares(b, a) / total_(a, b));
    }
  }
  norm_ = 1.01 * std::sqrt(squared);
}

MatrixXd CancelledSums::times(const MatrixXd& x) const {
  const Index k = remainder_.cols();
  // Rows of items lie side by side: all columns are gone through at once.
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Rows in = x;
  Rows out = Rows::Zero(x.rows(), x.cols());
  if (x.cols() == 1) {  // much quicker without rows, and most products are of this kind
    visit_pairs([from = in.data(), to = out.data()](Index i, Index j, double s, double n) {
      to[i] += (s + n) * from[j];
      to[j] += (s + n) * from[i];
    });
  } else {
    visit_pairs([&](Index i, Index j, double s, double n) {
      out.row(i) += (s + n) * in.row(j);
      out.row(j) += (s + n) * in.row(i);
    });
  }
  for (Index a = 0; a < k; ++a) {
    // Of the items r of every cluster b: v_r^a x_r, over t_ab.
    Rows along = Rows::Zero(k, x.cols());
    for (Index r = 0; r < in.rows(); ++r) {
      along.row(cluster(static_cast<std::size_t>(r))) += remainder_(r, a) * in.row(r);
    }
    for (Index b = 0; b < k; ++b) {
      if (total_(a, b) > 0) {
        along.row(b) /= total_(a, b);
      } else {
        along.row(b).setZero();
      }
    }
    for (Index i = 0; i < in.rows(); ++i) {
      if (cluster(static_cast<std::size_t>(i)) == a) out.row(i) += remainder_.row(i) * along;
    }
  }
  return out;
}

MatrixXd CancelledSums::dense() const {
  const Index n = size();
  MatrixXd matrix = MatrixXd::Zero(n, n);
  for (Index r = 0; r < n; ++r) {
    const Index b = cluster(static_cast<std::size_t>(r));
    for (Index i = 0; i < r; ++i) {
      const Index a = cluster(static_cast<std::size_t>(i));
      if (total_(a, b) > 0) matrix(i, r) = remainder_(i, b) / total_(a, b) * remainder_(r, a);
      matrix(r, i) = matrix(i, r);
    }
  }
  visit_pairs([&](Index i, Index j, double /*s*/, double n_ij) {
    matrix(i, j) += n_ij;
    matrix(j, i) = matrix(i, j);
  });
  return matrix;
}

double CancelledSums::mean_row_sum() const {
  Wide sum = 0;  // over pairs, each once
  for (const std::int64_t value : similarity_.value) sum += value;
  const auto n = static_cast<double>(size());
  const double of_s = 2 * static_cast<double>(sum) / static_cast<double>(similarity_.denominator);
  // Sums of at most n k + n^2 terms that are not negative, n of them first.
  const auto roundings = static_cast<double>(similarity_.value.size()) + 4 * n + 64;
  return (of_s + sum_of_n_ + epsilon * (4 * std::abs(of_s) + 2 * roundings * sum_of_n_)) / n;
}

namespace {

/// A on the space across the orthonormal columns of a basis.
class Across : public RestrictedMatrix {
 public:
  Across(const CancelledSums& sums, const MatrixXd& basis) : sums_(sums), basis_(basis) {}
  [[nodiscard]] Index size() const override { return basis_.rows(); }
  [[nodiscard]] Index dimension() const override { return basis_.rows() - basis_.cols(); }
  void project(VectorXd& v) const override {
    const VectorXd inside = basis_.transpose() * v;
    v.noalias() -= basis_ * inside;
  }
  [[nodiscard]] VectorXd apply(const VectorXd& v) const override {
    VectorXd result = sums_.times(v);
    project(result);
    return result;
  }

 private:
  const CancelledSums& sums_;
  const MatrixXd& basis_;
};

/// An orthonormal basis of the columns and of 1, which comes first.
MatrixXd orthonormal(const MatrixXd& columns) {
  MatrixXd all(columns.rows(), columns.cols() + 1);
  all.col(0).setOnes();
  all.rightCols(columns.cols()) = columns;
  const Eigen::HouseholderQR<MatrixXd> factors(all);
  return factors.householderQ() * MatrixXd::Identity(all.rows(), all.cols());
}

/// 1 and the k - 1 leading eigenvectors as far as some powers of A on the clusters show them.
MatrixXd leading_basis(const CancelledSums& sums, const Partition& partition) {
  const Index n = sums.size();
  const Index others = partition.size.size() - 1;
  MatrixXd block = MatrixXd::Zero(n, others);
  for (Index i = 0; i < n; ++i) {
    const auto a = static_cast<Index>(partition.cluster[static_cast<std::size_t>(i)]);
    if (a < others) block(i, a) = 1 / std::sqrt(partition.size(a));
  }
  MatrixXd space = block;
  for (int power = 0; power < most_powers && space.cols() + others < n; ++power) {
    block = sums.times(orthonormal(block).rightCols(others));
    MatrixXd wider(n, space.cols() + others);
    wider << space, block;
    space = std::move(wider);
  }
  const MatrixXd across = orthonormal(space).rightCols(space.cols());
  const MatrixXd inside = across.transpose() * sums.times(across);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver((inside + inside.transpose()) / 2);
  return orthonormal(across * solver.eigenvectors().rightCols(others));
}

/// The sum of the eigenvalues that m leaves possible, and the largest m that leaves them below a
/// sum.
struct Leading {
  VectorXd theta;
  double coupling = 0;  // |R|

  [[nodiscard]] double sum(double m) const {
    if (coupling == 0) return theta.cwiseMax(m).sum();
    double least = infinite;
    for (double d = coupling * 1e-6; d < coupling * 1e6; d *= 1.1) {
      least = std::min(least, (theta.array() + d).max(m + coupling * coupling / d).sum());
    }
    return least;
  }
  [[nodiscard]] double largest_below(double most, double scale) const {
    double low = -4 * scale;
    double high = 4 * scale;
    constexpr int bisections = 100;  // more than a double has bits
    for (int i = 0; i < bisections; ++i) {
      const double middle = (low + high) / 2;
      (sum(middle) <= most ? low : high) = middle;
    }
    return low;
  }
};

}  // namespace

double cancelled_bound(const CancelledSums& sums, const Partition& partition, double enough,
                       double failure_probability, std::uint64_t seed, const Progress& progress) {
  const double base = sums.mean_row_sum();
  const Index others = partition.size.size() - 1;
  if (others == 0) return base;
  const MatrixXd basis = leading_basis(sums, partition);
  const MatrixXd v = basis.rightCols(others);
  const MatrixXd image = sums.times(v);
  const MatrixXd inside = v.transpose() * image;
  const MatrixXd rest = image - basis * (basis.transpose() * image);
  // Of products with A, of bases that are orthonormal but for rounding, and of eigenvalues.
  const double error = 16 * static_cast<double>(sums.size() + 8) * epsilon * sums.norm();
  Leading leading;
  leading.theta =
      Eigen::SelfAdjointEigenSolver<MatrixXd>((inside + inside.transpose()) / 2).eigenvalues();
  leading.theta.array() += error;
  // The largest singular value.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> squares(rest.transpose() * rest);
  leading.coupling = std::sqrt(std::max(0.0, squares.eigenvalues()(others - 1))) + error;
  if (basis.cols() == basis.rows()) return base + leading.sum(-infinite);
  const double limit = leading.largest_below(enough - base, sums.norm());
  const LargestEigenvalue top = bound_largest_eigenvalue(Across(sums, basis), limit, error,
                                                         failure_probability, seed, progress);
  if (!top.at_most) return infinite;
  return base + leading.sum(*top.at_most);
}

}  // namespace tertium::internal::verifying
