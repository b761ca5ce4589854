#include "tertium/confidence/poisson_ones.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tertium/core/random.hpp"

namespace tertium::internal {
namespace {

TEST(PoissonOnes, HaveTheirProbabilitiesAndForgetWhatCameBefore) {
  constexpr int draws = 4'000'000;
  constexpr std::size_t most = 9;
  std::vector<double> count(most, 0);
  std::vector<double> pairs(3 * 3, 0);  // of neighbours below 3
  PoissonOnes poisson(random_stream(5, 1));
  std::size_t before = most;
  for (int d = 0; d < draws; ++d) {
    const auto drawn = static_cast<std::size_t>(poisson.next());
    if (drawn < most) ++count[drawn];
    if (drawn < 3 && before < 3) ++pairs[before * 3 + drawn];
    before = drawn;
  }
  const auto probability = [](std::size_t value) {
    return std::exp(-1.0) / std::tgamma(static_cast<double>(value) + 1);
  };
  const auto expect_share = [&](double found, double chance) {
    const double error = std::sqrt(draws * chance * (1 - chance));
    EXPECT_NEAR(found, draws * chance, 4.5 * error);
  };
  for (std::size_t value = 0; value < most; ++value) expect_share(count[value], probability(value));
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      expect_share(pairs[a * 3 + b], probability(a) * probability(b));
    }
  }
}

}  // namespace
}  // namespace tertium::internal
