#pragma once

#include <Eigen/Core>

#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"
#include "tertium/verify/partition.hpp"

namespace tertium::internal::verifying {

/// Condition 2 by a proof: true only if lambda > every eigenvalue of P (S + Gamma) P on the range
/// of P. False says nothing. One dense n x n matrix, n^3 / 3 operations.
///
/// The matrix A = W + ZY' + YZ', W = lambda I - S - Gamma, agrees with W on that range for every Y.
/// Y is chosen such that, but for rounding, A = PWP + c ZN^-1Z' with c the mean eigenvalue of PWP
/// on the range: A is positive definite if and only if the condition holds. A positive definite
/// shifted A is then recognised by its Cholesky factorisation (Rump, BIT 46, 2006).
bool proves_definite(const IntegerTriangle& similarity, const Partition& partition,
                     const Multipliers& multipliers, const Progress& progress = {});

/// True only if the symmetric matrix, given by its lower triangle, has no eigenvalue of `margin` or
/// less. Overwrites the matrix.
bool proves_eigenvalues_above(Eigen::MatrixXd& matrix, double margin,
                              const Progress& progress = {});

}  // namespace tertium::internal::verifying
