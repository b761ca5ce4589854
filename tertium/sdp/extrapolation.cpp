#include "tertium/sdp/extrapolation.hpp"

#include <Eigen/Cholesky>

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// At 800, programs of 500 to 700 items take 1.3 times as long; at 200 those of 300 take as long.
constexpr Index largest_size = 400;
/// Half needs 4 % more iterations, double as many.
constexpr Index differences = 20;
/// One alone misleads at the start: after four iterations with 40 items, the bound is 3 % worse.
/// Double needs 1 % more iterations.
constexpr Index fewest_to_use = 2;
constexpr int matrices_beside = 3;  // the residual, the last one and the last image
/// A residual that grows by this factor means that the differences mislead. Half and double need 1
/// to 2 % more iterations.
constexpr double tolerated_growth = 2;
/// Where all steps are nearly the same, as on the way out of a far start, their differences are
/// rounding, and the combination of them leads anywhere, from where Q comes back by a step at a
/// time. Useful ones move Q by a few residuals, by 100 in the slowest solves seen; useless ones by
/// 1e5 and more.
constexpr double longest_move = 1e3;
/// Relative to the mean diagonal of the Gram matrix, which is nearly singular. Half and double make
/// no difference.
constexpr double regularisation = 1e-10;

}  // namespace

Extrapolation::Extrapolation(Index size) : capacity_(size <= largest_size ? differences : 0) {}

int Extrapolation::matrices_held(Index size) {
  return size <= largest_size ? 2 * static_cast<int>(differences) + matrices_beside : 0;
}

void Extrapolation::forget() {
  kept_ = 0;
  oldest_ = 0;
  has_last_ = false;
}

void Extrapolation::advance(MatrixXd& q, const MatrixXd& image) {
  if (capacity_ == 0) {
    q = image;
    return;
  }
  residual_ = image - q;
  const double norm = residual_.norm();
  if (has_last_ && norm > tolerated_growth * last_norm_) forget();
  if (has_last_) remember(image);
  last_image_ = image;
  last_residual_ = residual_;
  last_norm_ = norm;
  has_last_ = true;
  q = image;
  if (kept_ < fewest_to_use) return;
  const VectorXd move = image_steps_.leftCols(kept_) * combination();
  if (!(move.norm() <= longest_move * norm)) return forget();
  q.reshaped() -= move;
}

void Extrapolation::remember(const MatrixXd& image) {
  if (residual_steps_.size() == 0) {
    residual_steps_.resize(image.size(), capacity_);
    image_steps_.resize(image.size(), capacity_);
    gram_.setZero(capacity_, capacity_);
  }
  const Index at = kept_ < capacity_ ? kept_++ : oldest_;
  if (kept_ == capacity_) oldest_ = (at + 1) % capacity_;
  residual_steps_.col(at) = (residual_ - last_residual_).reshaped();
  image_steps_.col(at) = (image - last_image_).reshaped();
  const VectorXd products = residual_steps_.leftCols(kept_).transpose() * residual_steps_.col(at);
  gram_.col(at).head(kept_) = products;
  gram_.row(at).head(kept_) = products;
}

/// The weights that make the combined residual smallest.
VectorXd Extrapolation::combination() const {
  MatrixXd gram = gram_.topLeftCorner(kept_, kept_);
  gram.diagonal().array() += regularisation * gram.trace() / static_cast<double>(kept_);
  return Eigen::LDLT<MatrixXd>(gram).solve(residual_steps_.leftCols(kept_).transpose() *
                                           residual_.reshaped());
}

}  // namespace tertium::internal
