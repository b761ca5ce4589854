#include "tertium/spectral/symmetric_eigen.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include <Eigen/Core>

#include "tertium/spectral/dense_product.hpp"

// The name is LAPACK's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dsyevd_(const char* job, const char* triangle, const int* size, double* matrix,
                        const int* leading, double* values, double* work, const int* work_size,
                        int* integers, const int* integers_size, int* info);

namespace tertium::internal {
namespace {

/// The kernels of OpenBLAS for processors that it does not know (Prescott; symv, release 0.3.21)
/// read a little beyond the end of a matrix: harmless but where memory ends there. So every matrix
/// that goes there has some room behind it.
constexpr std::size_t room_behind = 1024;

std::vector<double> with_room(const Eigen::MatrixXd& matrix) {
  std::vector<double> copy;
  copy.reserve(static_cast<std::size_t>(matrix.size()) + room_behind);
  copy.assign(matrix.data(), matrix.data() + matrix.size());
  copy.resize(copy.size() + room_behind);
  return copy;
}

/// Replaces the matrix by its eigenvectors if `job` is 'V'.
Eigen::VectorXd run_dsyevd(char job, std::vector<double>& matrix, Eigen::Index rows) {
  use_one_blas_thread();
  const char lower = 'L';
  const auto size = static_cast<int>(rows);
  Eigen::VectorXd values(rows);
  if (size == 0) return values;
  int info = 0;
  int query = -1;
  double work_size = 0;
  int integers_size = 0;
  dsyevd_(&job, &lower, &size, matrix.data(), &size, values.data(), &work_size, &query,
          &integers_size, &query, &info);
  const auto work_length = static_cast<int>(work_size);
  std::vector<double> work(static_cast<std::size_t>(work_length) + room_behind);
  std::vector<int> integers(static_cast<std::size_t>(integers_size));
  dsyevd_(&job, &lower, &size, matrix.data(), &size, values.data(), work.data(), &work_length,
          integers.data(), &integers_size, &info);
  if (info != 0) throw std::runtime_error("LAPACK dsyevd failed; is a value not finite?");
  return values;
}

}  // namespace

SymmetricEigen symmetric_eigen(Eigen::MatrixXd matrix) {
  const Eigen::Index size = matrix.rows();
  std::vector<double> vectors = with_room(matrix);
  matrix.resize(0, 0);  // memory for the work of LAPACK
  Eigen::VectorXd values = run_dsyevd('V', vectors, size);
  return {std::move(values), Eigen::Map<const Eigen::MatrixXd>(vectors.data(), size, size)};
}

Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd matrix) {
  const Eigen::Index size = matrix.rows();
  std::vector<double> copy = with_room(matrix);
  matrix.resize(0, 0);
  return run_dsyevd('N', copy, size);
}

double eigenvalue_error_bound(const Eigen::MatrixXd& matrix) {
  return static_cast<double>(matrix.rows()) * std::numeric_limits<double>::epsilon() *
         matrix.norm();
}

}  // namespace tertium::internal
