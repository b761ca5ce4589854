#include "tertium/spectral/krylov.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tertium/spectral/dense_product.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A new direction shorter than this, relative to the length before orthogonalisation, is rounding:
/// a hundred times less and more drop the same directions.
constexpr double negligible = 1e-10;
/// A look costs a small decomposition. At every step certificates of 100 to 400 items take twice as
/// long; at every sixth 0.8 of the time, but with more products, which count with more items.
constexpr int steps_between_checks = 3;

/// Makes the columns of `block` orthonormal and orthogonal to `basis`; columns that already lie in
/// the space are dropped. Twice is enough (Kahan, Parlett).
MatrixXd orthonormal_remainder(const Eigen::Ref<const MatrixXd>& basis, MatrixXd block) {
  const VectorXd lengths = block.colwise().norm();
  for (int pass = 0; pass < 2; ++pass) {
    const MatrixXd inside = basis.transpose() * block;
    block.noalias() -= basis * inside;
  }
  Index kept = 0;
  for (Index c = 0; c < block.cols(); ++c) {
    VectorXd column = block.col(c);
    for (int pass = 0; pass < 2; ++pass) {
      column -= block.leftCols(kept) * (block.leftCols(kept).transpose() * column);
    }
    const double length = column.norm();
    if (length <= negligible * lengths[c] || length == 0) continue;
    block.col(kept++) = column / length;
  }
  block.conservativeResize(Eigen::NoChange, kept);
  return block;
}

VectorBlock random_block(Index size, int width, Random random) {
  VectorBlock block(size, width);
  for (Index i = 0; i < size; ++i) {
    for (Index c = 0; c < width; ++c) block(i, c) = random.normal();
  }
  return block;
}

/// The basis, the map restricted to it, and what one more step does.
class KrylovSpace {
 public:
  KrylovSpace(const SymmetricMap& map, Index most, Run& run) : map_(map), run_(run) {
    basis_.resize(map.size(), most);
    restricted_ = MatrixXd::Zero(most, most);
  }

  /// Adds the orthonormal block and multiplies it. The part of the product outside of the space,
  /// the next block, is returned; empty when the space is invariant or full.
  MatrixXd extend(const MatrixXd& block) {
    const Index width = block.cols();
    basis_.middleCols(used_, width) = block;
    const VectorBlock in = block;
    VectorBlock out;
    map_.multiply(in, out, run_);
    const MatrixXd image = out;
    const Index before = used_;
    used_ += width;
    const MatrixXd coupling = basis_.leftCols(used_).transpose() * image;
    restricted_.block(0, before, used_, width) = coupling;
    restricted_.block(before, 0, width, used_) = coupling.transpose();
    const Index room = std::min(basis_.cols(), basis_.rows()) - used_;
    MatrixXd next = orthonormal_remainder(basis_.leftCols(used_), image);
    if (next.cols() > room) next.conservativeResize(Eigen::NoChange, std::max<Index>(room, 0));
    return next;
  }

  [[nodiscard]] Index used() const { return used_; }
  [[nodiscard]] SymmetricEigen ritz() const {
    const auto part = restricted_.topLeftCorner(used_, used_);
    return symmetric_eigen((part + part.transpose()) / 2);
  }
  [[nodiscard]] MatrixXd lift(const MatrixXd& coordinates) const {
    return basis_.leftCols(used_) * coordinates;
  }

 private:
  const SymmetricMap& map_;
  Run& run_;
  MatrixXd basis_;
  MatrixXd restricted_;
  Index used_ = 0;
};

/// Bounds the residuals of the leading Ritz vectors: what the map makes of them outside of the
/// space comes from their last coordinates.
double residual(const SymmetricEigen& ritz, Index wanted, Index last_width, double norm) {
  const auto last = ritz.vectors.bottomRows(last_width);
  return norm * last.rightCols(std::min(wanted, ritz.vectors.cols())).colwise().norm().maxCoeff();
}

}  // namespace

KrylovResult leading_eigenpairs(const SymmetricMap& map, Index wanted, const KrylovOptions& options,
                                Run& run) {
  use_one_blas_thread();
  const Index size = map.size();
  KrylovResult result;
  VectorBlock start = random_block(size, options.block, options.random);
  const Index given = std::min<Index>(options.start.cols(), options.block);
  if (given > 0) start.leftCols(given) = options.start.leftCols(given);
  map.project(start);
  const Index most = std::min<Index>(size, Index{options.block} * options.most_steps);
  KrylovSpace space(map, most, run);
  MatrixXd next = orthonormal_remainder(MatrixXd(size, 0), start);
  next.conservativeResize(Eigen::NoChange, std::min(next.cols(), most));
  SymmetricEigen ritz;
  RitzRange& range = result.range;
  while (next.cols() > 0 && range.steps < options.most_steps) {
    const Index width = next.cols();
    next = space.extend(next);
    ++range.steps;
    result.complete = next.cols() == 0 && space.used() < most;
    const bool finished = next.cols() == 0 || range.steps == options.most_steps;
    const bool asked = options.tolerance > 0 || options.enough;
    if (!finished && (!asked || range.steps % steps_between_checks != 0)) continue;
    ritz = space.ritz();
    range.lowest = ritz.values[0];
    range.top = ritz.values[space.used() - 1];
    const double norm = std::max(std::abs(range.top), std::abs(range.lowest));
    const Index measured = options.accurate > 0 ? std::min(options.accurate, wanted) : wanted;
    const bool accurate = options.tolerance > 0 && space.used() >= 2 * wanted &&
                          residual(ritz, measured, width, norm) <= options.tolerance * norm;
    if (accurate || (options.enough && options.enough(range))) break;
  }
  if (space.used() == 0) return result;
  result.complete = result.complete || space.used() == size;
  result.values = ritz.values.reverse();
  const Index returned = std::min(wanted, space.used());
  result.vectors = space.lift(ritz.vectors.rightCols(returned).rowwise().reverse());
  return result;
}

LargestEigenvalue largest_eigenvalue(const RitzRange& range, Index size, int block,
                                     double failure_probability) {
  LargestEigenvalue result;
  result.ritz = range.top;
  result.upper = std::numeric_limits<double>::infinity();
  result.failure_probability = failure_probability;
  if (range.steps == 0) return result;
  const double one_start = std::pow(failure_probability / 2, 1.0 / block);
  const double exponent =
      std::log(1.648 * std::sqrt(static_cast<double>(size)) / one_start) / (2.0 * range.steps - 1);
  const double missed = exponent * exponent;
  if (missed < 0.5) {
    result.upper = range.top + missed * (range.top - range.lowest) / (1 - 2 * missed);
  }
  return result;
}

}  // namespace tertium::internal
