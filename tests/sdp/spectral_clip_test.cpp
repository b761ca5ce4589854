#include "tertium/sdp/spectral_clip.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tertium::internal {
namespace {

using Eigen::VectorXd;

double sum_of_clipped(const VectorXd& values, double tau) {
  double sum = 0;
  for (const double value : values) sum += std::min(1.0, std::max(0.0, value - tau));
  return sum;
}

TEST(ShiftForTrace, LeavesTheTrace) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const int size = 1 + round % 40;
    std::normal_distribution<double> normal(round % 3, round % 5 == 0 ? 1e-3 : 20.0 * (round % 7));
    VectorXd values(size);
    for (double& value : values)
      value = round % 4 == 0 ? std::round(normal(random)) : normal(random);
    for (const double target : {0.0, 0.3, 1.0, size / 2.0, size - 0.5, 1.0 * size}) {
      const double expected = std::min(target, 1.0 * size);
      const double tau = shift_for_trace(values, expected);
      const double scale = 1 + values.cwiseAbs().maxCoeff();
      EXPECT_NEAR(sum_of_clipped(values, tau), expected, 1e-14 * scale * size)
          << values.transpose();
    }
  }
}

TEST(EigenpairTolerance, IsATenthOfTheResidualWithinLimits) {
  EXPECT_EQ(eigenpair_tolerance(1, 1e-3), 1e-3);
  EXPECT_DOUBLE_EQ(eigenpair_tolerance(1e-5, 1e-3), 1e-6);
  EXPECT_GT(eigenpair_tolerance(0, 1e-3), 0);
}

}  // namespace
}  // namespace tertium::internal
