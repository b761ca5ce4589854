#pragma once

#include <Eigen/Core>

namespace tertium::internal {

/// Those of a symmetric matrix, increasing, by Eigen's own solver: the library uses LAPACK. A
/// function, as the solver takes long to compile.
Eigen::VectorXd eigenvalues_of(const Eigen::MatrixXd& matrix);

}  // namespace tertium::internal
