#pragma once

#include <functional>

#include <Eigen/Core>

#include "tertium/run.hpp"

namespace tertium::internal {

/// A function of many numbers: its value, and its gradient by the second argument.
using Objective = std::function<double(const Eigen::VectorXd& at, Eigen::VectorXd& gradient)>;

struct DescentOptions {
  int most_steps = 1000;
  /// Ends when ten steps together have gained less than this share of the value.
  double least_gain = 1e-5;
};

struct DescentResult {
  Eigen::VectorXd at;
  double value = 0;
  int steps = 0;
  int evaluations = 0;
  bool settled = false;  // else it ended at most_steps
};

/// Goes downhill from `start` by L-BFGS (Nocedal 1980) with a bisection for the weak Wolfe
/// conditions (Lewis and Overton 2013), which bears functions with kinks. The step needs no rate:
/// nothing depends on the scale of the function. Throws Cancelled.
DescentResult descend(const Objective& objective, Eigen::VectorXd start,
                      const DescentOptions& options, Run& run);

}  // namespace tertium::internal
