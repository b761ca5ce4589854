#include "tertium/spectral/positive_definite.hpp"

#include <cmath>
#include <limits>

#include "tertium/spectral/dense_product.hpp"

// The name is LAPACK's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dpotrf_(const char* triangle, const int* size, double* matrix, const int* leading,
                        int* info);

namespace tertium::internal {

bool is_proved_positive_definite(Eigen::MatrixXd& matrix, double entry_error) {
  use_one_blas_thread();
  const auto size = static_cast<int>(matrix.rows());
  if (size == 0) return true;
  if (!(matrix.diagonal().minCoeff() > 0)) return false;
  constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
  const double g = (size + 1) * unit_roundoff / (1 - (size + 1) * unit_roundoff);
  // Twice the shift covers the rounding of the trace, of the shift itself and of the subtraction.
  const double shift =
      2 * (g / (1 - g) * matrix.trace() + entry_error) + size * std::numeric_limits<double>::min();
  matrix.diagonal().array() -= shift;
  const char lower = 'L';
  int info = 0;
  dpotrf_(&lower, &size, matrix.data(), &size, &info);
  return info == 0;
}

bool is_proved_dominated(const Eigen::MatrixXd& centred, double mu, const Eigen::MatrixXd& vectors,
                         const Eigen::VectorXd& weights, Eigen::MatrixXd& work) {
  const auto size = static_cast<double>(centred.rows());
  const Eigen::MatrixXd weighted = vectors * weights.asDiagonal();
  work.resize(centred.rows(), centred.cols());
  work.noalias() = weighted * vectors.transpose();
  work -= centred;
  work.diagonal().array() += mu;
  // Along 1, which Y does not see, `centred` is 0; mu may not be positive there.
  const double scale = centred.cwiseAbs().maxCoeff();  // of the unit, which proofs must not know
  if (mu <= 0) work.array() += ((scale > 0 ? scale : 1) - 2 * mu) / size;
  constexpr double roundings = 64;  // of an entry; n times that also covers sums of k terms
  const double largest = 2 * scale + 2 * std::abs(mu) + weights.cwiseAbs().sum();
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  return is_proved_positive_definite(work, roundings * epsilon * size * largest);
}

}  // namespace tertium::internal
