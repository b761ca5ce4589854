#pragma once

#include <Eigen/Core>

#include "tertium/core/run.hpp"

namespace tertium {

/// Sets BLAS to one thread, for good. BLAS with several threads rounds differently for every number
/// of them, and its threads wait by spinning; this library divides the work itself. Every entry
/// that needs dense algebra calls it; calling it again costs nothing.
void use_one_blas_thread();

/// out = a b. Rows are divided in the same way for any number of threads, so that the result has
/// the same bits.
void multiply(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, Eigen::MatrixXd& out, Run& run);
void multiply(const Eigen::MatrixXf& a, const Eigen::MatrixXf& b, Eigen::MatrixXf& out, Run& run);

/// out = a a'.
void multiply_by_transpose(const Eigen::MatrixXd& a, Eigen::MatrixXd& out, Run& run);

}  // namespace tertium
