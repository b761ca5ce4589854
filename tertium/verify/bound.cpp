#include "tertium/verify/bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming): the name is LAPACK's
extern "C" void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda,
                        double* w, double* work, const int* lwork, int* iwork, const int* liwork,
                        int* info);

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
__extension__ using Wide = __int128;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Bounds on errors are themselves computed with rounding, far below one percent.
constexpr double outward = 1.01;

/// Largest first: the eigenvalues of the symmetric matrix given by its lower triangle.
VectorXd eigenvalues(MatrixXd& matrix, Index size) {
  VectorXd values(size);
  if (size == 0) return values;
  const auto n = static_cast<int>(size);
  const auto leading = static_cast<int>(matrix.rows());
  double work_size = 0;
  int whole_work_size = 0;
  int info = 0;
  const int ask = -1;
  // The matrix starts behind the first row and column, which belong to the direction of 1.
  const Index first = matrix.cols() - size;
  // Some kernels of OpenBLAS (symv for processors that it does not know) read a little beyond the
  // end of the matrix: there is a column more behind it, and room behind the work.
  matrix.conservativeResize(Eigen::NoChange, matrix.cols() + 1);
  constexpr std::size_t room = 1024;
  double* const start = &matrix(matrix.rows() - size, first);
  dsyevd_("N", "L", &n, start, &leading, values.data(), &work_size, &ask, &whole_work_size, &ask,
          &info);
  const auto length = static_cast<int>(work_size);
  std::vector<double> work(static_cast<std::size_t>(length) + room);
  std::vector<int> whole_work(static_cast<std::size_t>(whole_work_size));
  dsyevd_("N", "L", &n, start, &leading, values.data(), work.data(), &length, whole_work.data(),
          &whole_work_size, &info);
  if (info != 0 || !values.allFinite()) {
    throw Refusal("the eigenvalues of S + N could not be computed");
  }
  return values.reverse();
}

/// The lower triangle of HAH, where the reflection H = I - vv'/h takes 1/sqrt(n) to the first
/// direction: without its first row and column, A on the space of vectors that sum to 0.
void reflect(MatrixXd& a) {
  const Index n = a.rows();
  VectorXd v = VectorXd::Constant(n, 1 / std::sqrt(static_cast<double>(n)));
  v(0) += 1;
  const double h = v.squaredNorm() / 2;
  VectorXd w = VectorXd::Zero(n);
  for (Index j = 0; j < n; ++j) {
    const Index below = n - j - 1;
    w(j) += a(j, j) * v(j) + a.col(j).tail(below).dot(v.tail(below));
    w.tail(below) += a.col(j).tail(below) * v(j);
  }
  w /= h;
  w -= (v.dot(w) / (2 * h)) * v;
  for (Index j = 0; j < n; ++j) {
    a.col(j).tail(n - j) -= v.tail(n - j) * w(j) + w.tail(n - j) * v(j);
  }
}

}  // namespace

double dual_bound(const Claim& claim, const IntegerTriangle& similarity, MatrixXd& dual) {
  const Index n = dual.rows();
  const auto count = static_cast<double>(n);
  const auto denominator = static_cast<double>(similarity.denominator);
  const double dual_sum = dual.colwise().sum().sum();
  Wide s_sum = 0;  // over pairs, each once
  double squared_s = 0;
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const double s = static_cast<double>(similarity.value[at]) / denominator;
      s_sum += similarity.value[at];
      squared_s += 2 * s * s;
      dual(static_cast<Index>(i), similarity.column[at]) += s;
    }
  }
  if (squared_s == 0 && dual_sum == 0 && !claim.program_lambda) return 0;  // nothing to round
  MatrixXd& a = dual;  // its lower triangle is S + N now
  double squared_norm = a.diagonal().squaredNorm();
  for (Index j = 0; j < n; ++j) squared_norm += 2 * a.col(j).tail(n - j - 1).squaredNorm();

  const double s_part = 2 * static_cast<double>(s_sum) / denominator / count;
  const double lambda = claim.program_lambda.value_or(0);
  double value = s_part + dual_sum / count - lambda;
  // Sums of at most n terms twice, none of them negative; then a few operations.
  double error = (count + 8) * epsilon * (dual_sum / count) +
                 8 * epsilon * (std::abs(s_part) + std::abs(lambda));
  const Index most =
      claim.program_clusters ? static_cast<Index>(*claim.program_clusters) - 1 : n - 1;
  if (most > 0) {
    const double moved =
        8 * (count + 8) * epsilon * std::sqrt(squared_norm) + 2 * epsilon * std::sqrt(squared_s);
    // Not finite: LAPACK need not come to an end with such numbers.
    if (!std::isfinite(moved) || !std::isfinite(value)) return infinite;
    reflect(a);
    const VectorXd values = eigenvalues(a, n - 1);
    Index summed = 0;
    for (; summed < most; ++summed) {
      if (claim.program_lambda && !(values(summed) + moved > lambda)) break;
      value += claim.program_lambda ? std::max(0.0, values(summed) - lambda) : values(summed);
      error += 2 * epsilon * (std::abs(value) + std::abs(values(summed)) + std::abs(lambda));
    }
    error += std::sqrt(static_cast<double>(summed)) * moved;
  }
  // The error itself was computed with rounding, and far below it there is underflow.
  const double smallest = count * count * std::numeric_limits<double>::min();
  const double bound = std::nextafter(value + (outward * error + smallest), infinite);
  return std::isfinite(bound) ? bound : infinite;
}

}  // namespace tertium::internal::verifying
