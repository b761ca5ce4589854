#pragma once

#include <Eigen/Core>

namespace tertium::internal::verifying {

/// The n - 1 eigenvalues of a symmetric matrix, given by its lower triangle, on the space across a
/// direction with a positive first entry: the largest first. Each is right to 8 (n + 8) times the
/// machine precision times the Frobenius norm: orthogonal transformations, ours and those of
/// LAPACK, stay well below. Overwrites the matrix. Throws Refusal if LAPACK does not come to an
/// end.
Eigen::VectorXd eigenvalues_across(Eigen::MatrixXd& matrix, const Eigen::VectorXd& direction);

}  // namespace tertium::internal::verifying
