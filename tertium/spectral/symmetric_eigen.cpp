#include "tertium/spectral/symmetric_eigen.hpp"

#include <limits>
#include <stdexcept>
#include <vector>

#include <Eigen/Eigenvalues>

#include "tertium/spectral/dense_product.hpp"

// The name is LAPACK's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dsyevd_(const char* job, const char* triangle, const int* size, double* matrix,
                        const int* leading, double* values, double* work, const int* work_size,
                        int* integers, const int* integers_size, int* info);

namespace tertium {
namespace {

/// Below, the threads of LAPACK cost more than they bring.
constexpr Eigen::Index smallest_for_lapack = 64;

/// Replaces the matrix by its eigenvectors if `job` is 'V'.
Eigen::VectorXd run_dsyevd(char job, Eigen::MatrixXd& matrix) {
  use_one_blas_thread();
  const char lower = 'L';
  const auto size = static_cast<int>(matrix.rows());
  Eigen::VectorXd values(matrix.rows());
  if (size == 0) return values;
  int info = 0;
  int query = -1;
  double work_size = 0;
  int integers_size = 0;
  dsyevd_(&job, &lower, &size, matrix.data(), &size, values.data(), &work_size, &query,
          &integers_size, &query, &info);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  std::vector<int> integers(static_cast<std::size_t>(integers_size));
  const auto work_length = static_cast<int>(work.size());
  dsyevd_(&job, &lower, &size, matrix.data(), &size, values.data(), work.data(), &work_length,
          integers.data(), &integers_size, &info);
  if (info != 0) throw std::runtime_error("LAPACK dsyevd failed; is a value not finite?");
  return values;
}

}  // namespace

SymmetricEigen symmetric_eigen(Eigen::MatrixXd matrix) {
  if (matrix.rows() <= smallest_for_lapack) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
    if (solver.info() == Eigen::Success) return {solver.eigenvalues(), solver.eigenvectors()};
  }
  Eigen::VectorXd values = run_dsyevd('V', matrix);
  return {std::move(values), std::move(matrix)};
}

Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd matrix) { return run_dsyevd('N', matrix); }

double eigenvalue_error_bound(const Eigen::MatrixXd& matrix) {
  return static_cast<double>(matrix.rows()) * std::numeric_limits<double>::epsilon() *
         matrix.norm();
}

}  // namespace tertium
