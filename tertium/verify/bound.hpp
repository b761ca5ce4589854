#pragma once

#include <Eigen/Core>

#include "tertium/integer_triangle.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::internal::verifying {

/// The bound of docs/certificate.md that N proves, with everything that rounding can have done
/// added to it; infinite if numbers on the way are. Overwrites N.
///
/// Eigenvalues come from LAPACK. They are those of a matrix whose distance from S + N is at most
/// 8 (n + 8) times the machine precision times the Frobenius norm of S + N: orthogonal
/// transformations of an n x n matrix, ours and those of LAPACK, stay well below. The sum of m
/// eigenvalues then moves by at most sqrt(m) times that (Hoffman and Wielandt).
double dual_bound(const Claim& claim, const IntegerTriangle& similarity, Eigen::MatrixXd& dual);

}  // namespace tertium::internal::verifying
