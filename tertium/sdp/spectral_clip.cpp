#include "tertium/sdp/spectral_clip.hpp"

#include <algorithm>
#include <cmath>

namespace tertium::internal {
namespace {

/// At ten times more accurate at first, the first ten iterations of the plain programs take half of
/// the time and the number of iterations stays the same; at three times less, nothing is gained.
constexpr double eigenpair_accuracy = 0.1;
constexpr double finest_eigenpairs = 1e-11;  // what rounding leaves
/// Of the shift: a unit in the last place, or two.
constexpr double rounding = 4e-16;

}  // namespace

double shift_for_trace(const Eigen::VectorXd& values, double target) {
  double low = values.minCoeff() - 1;  // the sum there is the number of values
  double high = values.maxCoeff();     // and 0 here
  double tau = (low + high) / 2;
  // The sum falls along straight lines: where the one at tau meets the target is the answer, once
  // tau lies on the right one. Bisection keeps that from going in circles.
  constexpr int guard = 200;
  for (int i = 0; i < guard; ++i) {
    double sum = 0;
    double slope = 0;
    for (const double value : values) {
      const double above = value - tau;
      sum += std::clamp(above, 0.0, 1.0);
      slope += above > 0 && above < 1 ? 1 : 0;
    }
    (sum > target ? low : high) = tau;
    const double step = slope > 0 ? (sum - target) / slope : high - low;
    if (std::abs(step) <= rounding * (1 + std::abs(tau))) break;
    tau = tau + step > low && tau + step < high ? tau + step : (low + high) / 2;
  }
  return tau;
}

double eigenpair_tolerance(double residual, double coarsest) {
  return std::clamp(eigenpair_accuracy * residual, finest_eigenpairs, coarsest);
}

}  // namespace tertium::internal
