#include "tertium/spectral/leading_subspace.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/dense_product.hpp"
#include "tertium/spectral/krylov.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::MatrixXf;
using Eigen::VectorXd;

// Measured on 18 programs of 26 to 700 items. Where nothing else is said, half and double give the
// same results in the same time, up to the 5 % that measurements differ by.

constexpr Index first_width = 24;
/// Of the filter: fewer than two products do not pay for the Rayleigh-Ritz step after them, and
/// where six are not enough, another round, which knows better where to cut, gains more than four
/// products more.
constexpr int lowest_degree = 2;
constexpr int highest_degree = 6;
/// A degree less lets residuals grow by two or three times: it is tried if they stay below.
constexpr double much_too_accurate = 0.3;
/// Of the width of the spectrum: T_6 stays far below the largest number then, also in single
/// precision.
constexpr double narrowest_filter = 4e-3;
/// Relative to the width of the spectrum; above, products run in single precision, whose error is
/// some hundred times smaller. Vectors stay orthonormal in double precision.
constexpr double coarse_tolerance = 1e-5;
/// The sine of the angle between a column and those before it: one pass loses about its square.
constexpr double nearly_dependent = 1e-6;
constexpr double nearly_orthonormal = 0.1;
constexpr int steps_for_range = 8;
/// A block wider than this share of the size, as with up to 53 items, costs more than a full
/// decomposition. Half takes 1.4 times as long with 500 items and more. Full decompositions for up
/// to 300 items would make programs of 100 to 300 items take twice as long.
constexpr double widest_share = 0.45;
/// Where the filter of a random block begins, as a share of the spectrum.
constexpr double unknown_cut = 0.6;
/// How far the spectrum may reach below its lowest Ritz value, as a share of its width.
constexpr double range_margin = 0.1;
/// Vectors that are kept below the threshold: so many, and one for so many above. One for each
/// takes 1.4 times as long.
constexpr Index spare_vectors = 10;
constexpr Index spare_share = 3;

template <typename Matrix>
Matrix product(const Matrix& matrix, const Matrix& block, Run& run) {
  Matrix image;
  multiply(matrix, block, image, run);
  centre_columns(image);
  return image;
}

/// Orthonormal columns with the same span: Cholesky of the Gram matrix, a second time if the first
/// left more than the last digits to do; Householder if the columns are too close to dependent for
/// that.
MatrixXd orthonormal(MatrixXd block) {
  block.array().rowwise() /= block.colwise().norm().array().max(1e-300);
  for (int pass = 0; pass < 2; ++pass) {
    MatrixXd gram = MatrixXd::Zero(block.cols(), block.cols());
    gram.selfadjointView<Eigen::Lower>().rankUpdate(block.transpose());
    const Eigen::LLT<MatrixXd> factor(gram);
    const double least = factor.matrixLLT().diagonal().minCoeff();
    if (factor.info() != Eigen::Success || !(least > nearly_dependent)) {
      const Eigen::HouseholderQR<MatrixXd> qr(block);
      return qr.householderQ() * MatrixXd::Identity(block.rows(), block.cols());
    }
    factor.matrixU().solveInPlace<Eigen::OnTheRight>(block);
    if (least > nearly_orthonormal) break;
  }
  return block;
}

/// T_d of the map that sends [low, cut] to [-1, 1]: damps there, amplifies above.
template <typename Matrix>
Matrix filtered(const Matrix& matrix, Matrix block, double low, double cut, int degree, Run& run) {
  using Scalar = typename Matrix::Scalar;
  const auto half = static_cast<Scalar>(std::max((cut - low) / 2, 1e-30));
  const auto middle = static_cast<Scalar>((cut + low) / 2);
  Matrix last = block;
  Matrix current = (product(matrix, block, run) - middle * block) / half;
  for (int d = 1; d < degree; ++d) {
    Matrix next = (product(matrix, current, run) - middle * current) * (2 / half) - last;
    last = std::move(current);
    current = std::move(next);
  }
  return current;
}

RitzRange spectral_range(const MatrixXd& matrix, Random random, Run& run) {
  KrylovOptions options;
  options.block = 1;
  options.most_steps = steps_for_range;
  options.random = random;
  RitzRange range = leading_eigenpairs(CentredMap(DenseMap(matrix)), 0, options, run).range;
  const double width = range.top - range.lowest;
  range.lowest -= range_margin * width;  // Ritz values lie inside the spectrum
  return range;
}

MatrixXd random_columns(Index size, Index count, Random& random) {
  MatrixXd block(size, count);
  for (double& entry : block.reshaped()) entry = random.normal();
  centre_columns(block);
  return block;
}

}  // namespace

LeadingSubspace::LeadingSubspace(Index size, Run& run)
    : size_(size), run_(&run), random_(run.stream("leading subspace")), degree_(highest_degree) {
  vectors_ = random_columns(size, std::min(size, first_width), random_);
}

void LeadingSubspace::restart(const MatrixXd& vectors) {
  vectors_ = vectors;
  values_.resize(0);
}

bool LeadingSubspace::wants_everything() const {
  return static_cast<double>(vectors_.cols()) > widest_share * static_cast<double>(size_);
}

void LeadingSubspace::look_at(const MatrixXd& matrix, double tolerance) {
  if (wants_everything()) return;
  const RitzRange range = spectral_range(matrix, Random(random_.next()), *run_);
  lowest_ = range.lowest;
  top_ = range.top;
  const bool coarse = tolerance > coarse_tolerance * (top_ - lowest_);
  coarse_ = coarse ? MatrixXf(matrix.cast<float>()) : MatrixXf();
}

void LeadingSubspace::adapt_degree(int rounds_in_vain, double used_up) {
  if (rounds_in_vain > 0) {
    degree_ = std::min(degree_ + 1, highest_degree);
  } else if (used_up < much_too_accurate) {
    degree_ = std::max(degree_ - 1, lowest_degree);
  }
}

/// The product with a block that keeps its digits; only as many of the image as are asked for.
MatrixXd LeadingSubspace::image_of(const MatrixXd& matrix, const MatrixXd& block) const {
  if (coarse_.size() == 0) return product(matrix, block, *run_);
  return product<MatrixXf>(coarse_, block.cast<float>(), *run_).cast<double>();
}

void LeadingSubspace::refine(const MatrixXd& matrix) {
  if (wants_everything()) return decompose(matrix);
  if (values_.size() == 0) {
    // Nothing is known about the block yet: the smallest of its Rayleigh quotients, or, if they
    // are those of random vectors, a value inside the spectrum that leaves few above.
    const MatrixXd image = image_of(matrix, vectors_);
    const VectorXd quotients = vectors_.cwiseProduct(image).colwise().sum().array() /
                               vectors_.colwise().squaredNorm().array();
    values_ = VectorXd::Constant(
        1, std::max(quotients.minCoeff(), lowest_ + unknown_cut * (top_ - lowest_)));
  }
  const double cut = values_[values_.size() - 1];
  // The block may know of lower values than the range does. An interval much narrower than the
  // whole spectrum would amplify its top beyond the largest number.
  const double low = std::min(lowest_, cut);
  const double width = top_ - low;
  const double edge = std::max(cut, low + std::max(narrowest_filter * width, 1e-12));
  MatrixXd block;
  if (coarse_.size() > 0) {
    block = filtered<MatrixXf>(coarse_, vectors_.cast<float>(), low, edge, degree_, *run_)
                .cast<double>();
    centre_columns(block);
  } else {
    block = filtered<MatrixXd>(matrix, std::move(vectors_), low, edge, degree_, *run_);
  }
  block = orthonormal(std::move(block));
  const MatrixXd image = image_of(matrix, block);
  MatrixXd restricted(block.cols(), block.cols());
  restricted.noalias() = block.transpose() * image;
  const SymmetricEigen ritz = symmetric_eigen((restricted + restricted.transpose()) / 2);
  const MatrixXd turn = ritz.vectors.rowwise().reverse();
  values_ = ritz.values.reverse();
  multiply(block, turn, vectors_, *run_);
  MatrixXd turned;
  multiply(image, turn, turned, *run_);
  residuals_ = (turned - vectors_ * values_.asDiagonal()).colwise().norm();
}

void LeadingSubspace::decompose(const MatrixXd& matrix) {
  MatrixXd inner = matrix;
  centre(inner);
  // The eigenvector 1 must not take part: it gets an eigenvalue below all others.
  inner.array() -= 2 * (1 + inner.norm()) / static_cast<double>(size_);
  const SymmetricEigen eigen = symmetric_eigen(std::move(inner));
  values_ = eigen.values.tail(size_ - 1).reverse();
  vectors_ = eigen.vectors.rightCols(size_ - 1).rowwise().reverse();
  residuals_ = VectorXd::Zero(size_ - 1);
}

bool LeadingSubspace::widen() {
  const Index width = vectors_.cols();
  if (width >= size_ - 1) return false;
  add_random(std::min(size_ - 1 - width, std::max<Index>(1, width / 2)));
  return true;
}

void LeadingSubspace::add_random(Index count) {
  const Index width = vectors_.cols();
  MatrixXd wider(size_, width + count);
  wider.leftCols(width) = vectors_;
  wider.rightCols(count) = random_columns(size_, count, random_);
  vectors_ = std::move(wider);
}

/// Vectors below the threshold are kept too: they may rise above it, and the filter is the sharper
/// the farther its edge lies below the vectors that count.
void LeadingSubspace::resize(Index above) {
  const Index wanted =
      std::min(size_ - 1, std::max(first_width, above + above / spare_share + spare_vectors));
  if (vectors_.cols() < wanted) return add_random(wanted - vectors_.cols());
  vectors_.conservativeResize(Eigen::NoChange, wanted);
  values_.conservativeResize(wanted);
  residuals_.conservativeResize(wanted);
}

}  // namespace tertium::internal
