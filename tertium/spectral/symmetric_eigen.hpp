#pragma once

#include <Eigen/Core>

namespace tertium::internal {

/// Eigenvalues of a dense symmetric matrix, increasing, with unit eigenvectors as columns.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Full decomposition by LAPACK (divide and conquer), O(n^3). Overwrites its copy of the matrix;
/// needs about 3 n^2 doubles. Only the lower triangle is read.
SymmetricEigen symmetric_eigen(Eigen::MatrixXd matrix);

/// The eigenvalues alone, increasing.
Eigen::VectorXd symmetric_eigenvalues(Eigen::MatrixXd matrix);

/// How far each computed eigenvalue can be from the true one: LAPACK's methods are backward stable,
/// with a perturbation of a small multiple of n * machine precision * norm. The Frobenius norm and
/// the factor n make this a generous bound.
double eigenvalue_error_bound(const Eigen::MatrixXd& matrix);

}  // namespace tertium::internal
