#pragma once

#include <Eigen/Core>

#include "tertium/run.hpp"
#include "tertium/spectral/blas.hpp"

namespace tertium::internal {

/// out = a b. Rows are divided in the same way for any number of threads, so that the result has
/// the same bits.
void multiply(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, Eigen::MatrixXd& out, Run& run);
void multiply(const Eigen::MatrixXf& a, const Eigen::MatrixXf& b, Eigen::MatrixXf& out, Run& run);

/// out = a a'.
void multiply_by_transpose(const Eigen::MatrixXd& a, Eigen::MatrixXd& out, Run& run);

}  // namespace tertium::internal
