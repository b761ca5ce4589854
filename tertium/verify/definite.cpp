#include "tertium/verify/definite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tertium/error.hpp"
#include "tertium/verify/rounding.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is LAPACK's
extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Wide enough for matrix products, narrow enough to hear Ctrl-C.
constexpr Index panel_width = 256;

/// The Cholesky factorisation in place, panel by panel. False if a pivot is not positive.
bool factorise(MatrixXd& matrix, const Progress& progress) {
  const Index size = matrix.rows();
  const auto stride = static_cast<int>(size);
  for (Index start = 0; start < size; start += panel_width) {
    const Index width = std::min(panel_width, size - start);
    const Index rest = size - start - width;
    const auto order = static_cast<int>(width);
    int info = 0;
    dpotrf_("L", &order, &matrix(start, start), &stride, &info);
    if (info != 0) return false;
    if (rest > 0) {
      const auto corner = matrix.block(start, start, width, width);
      auto below = matrix.block(start + width, start, rest, width);
      corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
      matrix.bottomRightCorner(rest, rest).selfadjointView<Eigen::Lower>().rankUpdate(below, -1);
    }
    const double left = static_cast<double>(rest) / static_cast<double>(size);
    const auto done = static_cast<std::uint64_t>(1000 * (1 - left * left * left));
    if (progress && !progress({done, 1000})) throw Cancelled();
  }
  // Some libraries let a pivot pass that is not a number; it then stays in the diagonal.
  return (matrix.diagonal().array() > 0).all() && matrix.diagonal().allFinite();
}

/// Minus the doubly centred block means of W, and half of c: the Y of the header, n x k.
MatrixXd centring(const Partition& partition, const Multipliers& multipliers, double c) {
  const Eigen::VectorXd& size = partition.size;
  MatrixXd y(partition.to_cluster.rows(), partition.to_cluster.cols());
  for (Index l = 0; l < y.cols(); ++l) {
    for (Index i = 0; i < y.rows(); ++i) {
      const auto j = static_cast<Index>(partition.cluster[static_cast<std::size_t>(i)]);
      const double own = j == l ? multipliers.lambda : 0;
      const double row = (own - partition.to_cluster(i, l) - multipliers.u(i, l)) / size(l);
      const double block =
          (own * size(j) - partition.block(j, l) - multipliers.t(j, l)) / (size(j) * size(l));
      y(i, l) = block / 2 - row + (j == l ? c / (2 * size(j)) : 0);
    }
  }
  return y;
}

/// The lower triangle of lambda I - S - Gamma + ZY' + YZ'.
MatrixXd assemble(const IntegerTriangle& similarity, const Partition& partition,
                  const Multipliers& multipliers, const MatrixXd& y) {
  const Index n = y.rows();
  const Index k = y.cols();
  MatrixXd matrix(n, n);
  Eigen::VectorXd y_of_column(k);
  Eigen::VectorXd u_over_t(k);
  for (Index r = 0; r < n; ++r) {
    const auto l = static_cast<Index>(partition.cluster[static_cast<std::size_t>(r)]);
    for (Index j = 0; j < k; ++j) {
      y_of_column(j) = y(r, j);
      u_over_t(j) = j == l ? 0 : multipliers.u(r, j) / multipliers.t(j, l);
    }
    for (Index i = r; i < n; ++i) {
      const auto j = static_cast<Index>(partition.cluster[static_cast<std::size_t>(i)]);
      matrix(i, r) = (y(i, l) + y_of_column(j)) - multipliers.u(i, l) * u_over_t(j);
    }
    matrix(r, r) += multipliers.lambda;
  }
  const auto denominator = static_cast<double>(similarity.denominator);
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      matrix(static_cast<Index>(i), similarity.column[at]) -=
          static_cast<double>(similarity.value[at]) / denominator;
    }
  }
  return matrix;
}

/// At most so far, in the Frobenius norm, is the assembled matrix from the exact one. An entry is a
/// sum of y, y', Gamma, S and on the diagonal lambda, of which Gamma (two operations) and S (two)
/// are rounded, with at most four additions: less than 8 roundings relative to the sum of the
/// absolute terms. Y is exact by definition; u and t have errors of their own.
double assembly_error(const IntegerTriangle& similarity, const Partition& partition,
                      const Multipliers& multipliers, const MatrixXd& y) {
  double squared_s = 0;
  for (const std::int64_t value : similarity.value) {
    const double s = static_cast<double>(value) / static_cast<double>(similarity.denominator);
    squared_s += 2 * s * s;
  }
  const double y_norm =
      std::sqrt((y.array().square().matrix() * partition.size).sum());  // of YZ', as of ZY'
  const double lambda_norm =
      std::sqrt(static_cast<double>(y.rows())) * std::abs(multipliers.lambda);
  return 8 * unit_roundoff *
             (std::sqrt(squared_s) + multipliers.gamma_norm + 2 * y_norm + lambda_norm) +
         multipliers.gamma_error;
}

}  // namespace

bool proves_eigenvalues_above(MatrixXd& matrix, double margin, const Progress& progress) {
  const auto size = static_cast<double>(matrix.rows());
  // If the factorisation of B in floating point runs to its end, B has no eigenvalue below
  // -gamma_(n+1)/(1-gamma_(n+1)) tr B, gamma_m = m u/(1 - m u), for any order of the operations.
  // Twice n: libraries multiply by reciprocals of pivots, which is one more rounding for each.
  const double operations = 2 * (size + 2) * unit_roundoff;
  const double gamma = operations / (1 - operations);
  const double trace = matrix.diagonal().sum();
  const double largest = matrix.diagonal().cwiseAbs().maxCoeff();
  // Of the subtraction on the diagonal, and far below everything else, of underflow.
  const double small = 4 * unit_roundoff * (largest + std::abs(margin)) +
                       size * size * std::numeric_limits<double>::min();
  const double shift = 1.01 * (margin + gamma / (1 - gamma) * trace + small);
  if (!(trace > 0) || !std::isfinite(shift)) return false;
  matrix.diagonal().array() -= shift;
  return factorise(matrix, progress);
}

bool proves_definite(const IntegerTriangle& similarity, const Partition& partition,
                     const Multipliers& multipliers, const Progress& progress) {
  const auto dimension = static_cast<double>(partition.to_cluster.rows() - partition.size.size());
  if (dimension == 0) return true;
  const double mean_eigenvalue = multipliers.lambda + partition.value / dimension;
  if (!(mean_eigenvalue > 0)) return false;
  const MatrixXd y = centring(partition, multipliers, mean_eigenvalue);
  MatrixXd matrix = assemble(similarity, partition, multipliers, y);
  const double error = assembly_error(similarity, partition, multipliers, y);
  return proves_eigenvalues_above(matrix, error, progress);
}

}  // namespace tertium::internal::verifying
