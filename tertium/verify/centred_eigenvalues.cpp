#include "tertium/verify/centred_eigenvalues.hpp"

#include <vector>

#include "tertium/verify/parse.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the name is LAPACK's
extern "C" void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda,
                        double* w, double* work, const int* lwork, int* iwork, const int* liwork,
                        int* info);

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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
  // The matrix starts behind the first row and column, which belong to the direction.
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
    throw Refusal("the eigenvalues could not be computed");
  }
  return values.reverse();
}

/// The lower triangle of HAH, where the reflection H = I - vv'/h takes the direction to the first
/// one: without its first row and column, A on the space across the direction.
void reflect(MatrixXd& a, const VectorXd& direction) {
  const Index n = a.rows();
  VectorXd v = direction.normalized();
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

VectorXd eigenvalues_across(MatrixXd& matrix, const VectorXd& direction) {
  reflect(matrix, direction);
  return eigenvalues(matrix, matrix.rows() - 1);
}

}  // namespace tertium::internal::verifying
