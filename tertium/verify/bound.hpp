#pragma once

#include <filesystem>

#include <Eigen/Core>

#include "tertium/integer_triangle.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::internal::verifying {

/// N of the claim from its file, after all checks on the file and on N. Throws Refusal.
Eigen::MatrixXd read_dual(const Claim& claim, const std::filesystem::path& folder);

/// The bound on a program that N gives, and how far rounding can have moved it.
struct DualBound {
  double value = 0;
  double error = 0;
};

/// The bound of docs/certificate.md. Eigenvalues come from LAPACK; 8 (n + 8) times the machine
/// precision times the Frobenius norm of S + N is allowed for the error of each: orthogonal
/// transformations of an n x n matrix, ours and those of LAPACK, stay well below. Overwrites N.
DualBound dual_bound(const Claim& claim, const IntegerTriangle& similarity, Eigen::MatrixXd& dual);

}  // namespace tertium::internal::verifying
