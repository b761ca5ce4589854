#pragma once

#include <Eigen/SparseCore>

#include "tertium/similarity.hpp"

namespace tertium::internal {

/// The whole symmetric matrix for linear algebra, both triangles.
Eigen::SparseMatrix<double> to_eigen(const SimilarityMatrix& similarity);

}  // namespace tertium::internal
