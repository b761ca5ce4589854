#include "tests/eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace tertium::internal {

Eigen::VectorXd eigenvalues_of(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

}  // namespace tertium::internal
