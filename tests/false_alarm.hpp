#pragma once

#include <cmath>

#include "tertium/planted/latent.hpp"

namespace tertium::internal {

/// Every random check of the simulation is made with fixed seeds and a bound that a right program
/// exceeds for at most this share of seeds.
inline constexpr double false_alarm = 1e-6;

/// The bound for |z| of a standard normal z.
inline double largest_z() { return -normal_quantile(false_alarm / 2); }

/// |observed share - p| in standard deviations of a mean of `count` independent coin throws.
inline double deviation(double share, double p, double count) {
  return std::abs(share - p) / std::sqrt(p * (1 - p) / count);
}

/// The bound for a chi-square statistic, by Wilson and Hilferty's approximation, which is slightly
/// too large in this tail.
inline double largest_chi_square(double degrees) {
  const double part = 2 / (9 * degrees);
  return degrees * std::pow(1 - part - normal_quantile(false_alarm) * std::sqrt(part), 3);
}

}  // namespace tertium::internal
