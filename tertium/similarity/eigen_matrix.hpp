#pragma once

#include <Eigen/SparseCore>

#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

/// The whole symmetric matrix for linear algebra, both triangles.
Eigen::SparseMatrix<double> to_eigen(const SimilarityMatrix& similarity);

}  // namespace tertium
