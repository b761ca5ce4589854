#include "tertium/planted/latent.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tertium/core/random.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr LatentFamily families[] = {LatentFamily::normal, LatentFamily::beta,
                                     LatentFamily::uniform_normal};

TEST(Latent, QuantilesInvertTheDistributionFunction) {
  for (const double p : {0x1p-53, 1e-15, 1e-9, 1e-3, 0.3, 0.5, 0.7, 0.999}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1, 1e-13) << p;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  // Beta(6, 2): the distribution function by the midpoint rule.
  const LatentDistributions beta = latent_distributions(LatentFamily::beta, 0.5);
  EXPECT_NEAR(beta.parameter, 6, 1e-12);
  const double x = inside_value(beta, 0.3);
  double sum = 0;
  constexpr int steps = 100000;
  for (int i = 0; i < steps; ++i) {
    const double t = x * (i + 0.5) / steps;
    sum += 42 * std::pow(t, 5) * (1 - t) * x / steps;
  }
  EXPECT_NEAR(sum, 0.3, 1e-9);
}

TEST(Latent, ParametersGiveTheAskedProbability) {
  for (const LatentFamily family : families) {
    for (const double delta : {1e-6, 0.1, 0.5, 0.9, 0.999}) {
      const LatentDistributions latent = latent_distributions(family, delta);
      EXPECT_NEAR(chance_inside_is_larger(latent), (1 + delta) / 2, 1e-12);
      // P(w_in > w_out) is the mean of F_out(w_in): by the midpoint rule over ranks of w_in.
      constexpr int steps = 20000;
      double mean = 0;
      for (int i = 0; i < steps; ++i) {
        mean += rank_among_outside(latent, (i + 0.5) / steps) / steps;
      }
      EXPECT_NEAR(mean, (1 + delta) / 2, 2e-6) << to_string(family) << " " << delta;
    }
    EXPECT_EQ(chance_inside_is_larger(latent_distributions(family, 1)), 1);
  }
}

TEST(Latent, ThePrintedMeanGivesAnotherProbability) {
  const LatentFamily family = LatentFamily::uniform_normal;
  EXPECT_NEAR(latent_distributions(family, 0.5).parameter, 1.2026, 5e-5);
  const LatentDistributions printed = latent_distributions(family, 0.5, true);
  EXPECT_EQ(printed.parameter, 0.75);
  EXPECT_NEAR(chance_inside_is_larger(printed), 0.595, 5e-4);
  EXPECT_THROW(latent_distributions(LatentFamily::beta, 0.5, true), InputError);
}

TEST(Latent, TheTableDecidesAsTheDistributionsDo) {
  Random random(1);
  for (const LatentFamily family : families) {
    for (const double delta : {0.05, 0.5, 0.98, 1.0}) {
      const LatentDistributions latent = latent_distributions(family, delta);
      const InsideAgainstOutside contest(latent);
      for (int i = 0; i < 3000; ++i) {
        const std::uint64_t inside = random.next();
        const double rank = rank_among_outside(latent, unit_interval(inside));
        // Far from the boundary, and as near to it as the numbers allow.
        std::uint64_t outside = random.next();
        if (i % 2 == 0) outside = static_cast<std::uint64_t>(rank * 0.999999999 * 0x1p64);
        EXPECT_EQ(contest.inside_is_larger(inside, outside), rank > unit_interval(outside));
      }
    }
  }
}

TEST(Latent, RefusesOtherDeltas) {
  for (const double delta : {0.0, -0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(latent_distributions(LatentFamily::normal, delta), InputError);
  }
}

}  // namespace
}  // namespace tertium::internal
