#include "tertium/embedding/descent.hpp"

#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace tertium::internal {
namespace {

using Eigen::VectorXd;

/// Pairs of steps and changes of the gradient that are remembered.
constexpr std::size_t memory = 10;
/// Of the gain that the slope promises, a step must have so much; of the slope, at most so much may
/// be left. The usual values.
constexpr double sufficient = 1e-4;
constexpr double remaining = 0.9;
/// Halvings and doublings of a step before the descent gives up: beyond, numbers run out of digits.
constexpr int most_trials = 50;
/// Steps over which the gain is measured: single ones may be short by chance.
constexpr std::size_t window = 10;

struct Point {
  VectorXd at;
  VectorXd gradient;
  double value = 0;
};

struct Curvature {
  VectorXd step;
  VectorXd change;  // of the gradient
  double product;
};

class Descent {
 public:
  Descent(const Objective& objective, const DescentOptions& options, Run& run)
      : objective_(objective), options_(options), run_(run) {}

  DescentResult from(VectorXd start) {
    Point here = evaluate(std::move(start));
    std::deque<double> values = {here.value};
    DescentResult result;
    while (result.steps < options_.most_steps && !result.settled) {
      run_.check();
      std::optional<Point> next = step_from(here);
      if (!next && !curvatures_.empty()) {  // once more along the gradient alone
        curvatures_.clear();
        next = step_from(here);
      }
      if (!next) {
        result.settled = true;
        break;
      }
      remember(here, *next);
      here = *std::move(next);
      ++result.steps;
      values.push_back(here.value);
      if (values.size() <= window) continue;
      result.settled = values.front() - here.value <= options_.least_gain * std::abs(here.value);
      values.pop_front();
    }
    result.at = std::move(here.at);
    result.value = here.value;
    result.evaluations = evaluations_;
    return result;
  }

 private:
  Point evaluate(VectorXd at) {
    Point point;
    point.gradient.resize(at.size());
    point.value = objective_(at, point.gradient);
    point.at = std::move(at);
    ++evaluations_;
    return point;
  }

  /// The two loops of L-BFGS.
  [[nodiscard]] VectorXd direction(const VectorXd& gradient) const {
    VectorXd d = -gradient;
    std::vector<double> weight(curvatures_.size());
    for (std::size_t c = curvatures_.size(); c-- > 0;) {
      weight[c] = curvatures_[c].step.dot(d) / curvatures_[c].product;
      d -= weight[c] * curvatures_[c].change;
    }
    if (curvatures_.empty()) {
      d /= std::max(d.norm(), std::numeric_limits<double>::min());
    } else {
      d *= curvatures_.back().product / curvatures_.back().change.squaredNorm();
    }
    for (std::size_t c = 0; c < curvatures_.size(); ++c) {
      const double back = curvatures_[c].change.dot(d) / curvatures_[c].product;
      d += (weight[c] - back) * curvatures_[c].step;
    }
    return d;
  }

  std::optional<Point> step_from(const Point& here) {
    const VectorXd d = direction(here.gradient);
    const double slope = d.dot(here.gradient);
    if (!(slope < 0)) return std::nullopt;
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double length = 1;
    for (int trial = 0; trial < most_trials; ++trial) {
      Point next = evaluate(here.at + length * d);
      if (!(next.value <= here.value + sufficient * length * slope)) {
        high = length;
      } else if (d.dot(next.gradient) < remaining * slope) {
        low = length;
      } else {
        return next;
      }
      length = std::isfinite(high) ? (low + high) / 2 : 2 * low;
    }
    return std::nullopt;
  }

  void remember(const Point& here, const Point& next) {
    Curvature found{next.at - here.at, next.gradient - here.gradient, 0};
    found.product = found.step.dot(found.change);
    if (!(found.product > 0)) return;
    curvatures_.push_back(std::move(found));
    if (curvatures_.size() > memory) curvatures_.pop_front();
  }

  const Objective& objective_;
  const DescentOptions& options_;
  Run& run_;
  std::deque<Curvature> curvatures_;
  int evaluations_ = 0;
};

}  // namespace

DescentResult descend(const Objective& objective, VectorXd start, const DescentOptions& options,
                      Run& run) {
  return Descent(objective, options, run).from(std::move(start));
}

}  // namespace tertium::internal
