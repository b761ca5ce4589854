#include "tertium/planted/latent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr double sigma = 0.1;  // of the normal family; comparisons do not depend on it
constexpr double infinity = std::numeric_limits<double>::infinity();
// Every root below is bracketed; this many halvings or Newton steps reach the last bit.
constexpr int most_steps = 200;

constexpr std::array<std::string_view, 3> names = {"normal", "beta", "uniform-normal"};

double normal_density(double x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

/// The integral of the normal distribution function up to x.
double normal_cdf_integral(double x) { return x * normal_cdf(x) + normal_density(x); }

/// P(w_in < w_out) for w_in ~ N(mean, 1), w_out ~ Uniform(0, 1): the integral over t in (0, 1) of
/// P(w_in < t).
double chance_normal_below_uniform(double mean) {
  return normal_cdf_integral(1 - mean) - normal_cdf_integral(-mean);
}

/// The argument in [low, high] where the increasing function reaches `target`.
template <typename Function>
double root_of_increasing(const Function& function, double target, double low, double high) {
  for (int step = 0; step < most_steps; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (function(middle) < target ? low : high) = middle;
  }
  return high;
}

/// The distribution function of Beta(alpha, 2): alpha (alpha + 1) times the integral of
/// x^(alpha - 1) (1 - x).
double beta_cdf(double alpha, double x) { return std::pow(x, alpha) * (1 + alpha * (1 - x)); }

}  // namespace

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

double normal_quantile(double probability) {
  const double tail = std::min(probability, 1 - probability);
  // Newton's method for ln(erfc(x) / 2) = ln(tail), x >= 0: the left side is concave and falls, so
  // from above the iterates come down to the root. erfc(x) <= exp(-x^2) gives a start above.
  double x = std::sqrt(-std::log(2 * tail));
  for (int step = 0; step < most_steps; ++step) {
    const double both_tails = std::erfc(x);
    const double slope = -2 * std::numbers::inv_sqrtpi * std::exp(-x * x) / both_tails;
    const double next = x - std::log(both_tails / (2 * tail)) / slope;
    if (!(next < x)) break;
    x = next;
  }
  const double z = std::numbers::sqrt2 * x;
  return probability < 0.5 ? -z : z;
}

LatentDistributions latent_distributions(LatentFamily family, double delta, bool as_printed) {
  if (!(delta > 0 && delta <= 1)) {
    throw InputError({{}, fmt::format("--delta {}", delta), "a number above 0 and at most 1", ""});
  }
  if (as_printed && family != LatentFamily::uniform_normal) {
    throw InputError({{},
                      fmt::format("--as-printed with --distribution {}", to_string(family)),
                      "--distribution uniform-normal, where the paper prints another mean",
                      ""});
  }
  if (as_printed) return {family, (1 + delta) / 2};
  if (delta == 1) return {family, infinity};
  switch (family) {
    case LatentFamily::normal:
      return {family, std::numbers::sqrt2 * sigma * normal_quantile((1 + delta) / 2)};
    case LatentFamily::beta:
      return {family, 2 * (1 + delta) / (1 - delta)};
    case LatentFamily::uniform_normal:
      break;
  }
  const auto above = [](double mean) { return -chance_normal_below_uniform(mean); };
  constexpr double largest_mean = 40;  // beyond, P(w_in < w_out) is 0 in double precision
  return {family, root_of_increasing(above, -(1 - delta) / 2, 0.5, largest_mean)};
}

double chance_inside_is_larger(const LatentDistributions& distributions) {
  const double parameter = distributions.parameter;
  if (parameter == infinity) return 1;
  switch (distributions.family) {
    case LatentFamily::normal:
      return normal_cdf(parameter / (std::numbers::sqrt2 * sigma));
    case LatentFamily::beta:
      return parameter / (parameter + 2);
    case LatentFamily::uniform_normal:
      return 1 - chance_normal_below_uniform(parameter);
  }
  return 0;
}

double inside_value(const LatentDistributions& distributions, double rank) {
  const double parameter = distributions.parameter;
  switch (distributions.family) {
    case LatentFamily::normal:
      return parameter + sigma * normal_quantile(rank);
    case LatentFamily::uniform_normal:
      return parameter + normal_quantile(rank);
    case LatentFamily::beta:
      break;
  }
  if (parameter == infinity) return 1;
  return root_of_increasing([=](double x) { return beta_cdf(parameter, x); }, rank, 0, 1);
}

double outside_value(const LatentDistributions& distributions, double rank) {
  return distributions.family == LatentFamily::normal ? sigma * normal_quantile(rank) : rank;
}

double rank_among_outside(const LatentDistributions& distributions, double rank) {
  if (distributions.parameter == infinity) return 1;
  const double value = inside_value(distributions, rank);
  if (distributions.family == LatentFamily::normal) return normal_cdf(value / sigma);
  return std::clamp(value, 0.0, 1.0);
}

InsideAgainstOutside::InsideAgainstOutside(const LatentDistributions& distributions)
    : distributions_(distributions) {
  constexpr std::size_t cells = 1U << cell_bits;
  constexpr double steps = static_cast<double>(std::uint64_t{1} << unit_interval_bits);
  steps_below_.assign(cells + 1, std::uint64_t{1} << unit_interval_bits);
  for (std::size_t cell = 0; cell < cells && distributions.parameter < infinity; ++cell) {
    const double rank = static_cast<double>(cell) / static_cast<double>(cells);
    const double below = cell == 0 ? 0 : rank_among_outside(distributions, rank);
    steps_below_[cell] = static_cast<std::uint64_t>(below * steps);
  }
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string_view to_string(LatentFamily family) { return names[static_cast<std::size_t>(family)]; }

std::optional<LatentFamily> parse_latent_family(std::string_view text) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return {};
  return static_cast<LatentFamily>(found - names.begin());
}

}  // namespace tertium
