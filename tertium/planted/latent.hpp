#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tertium/planted/counter_random.hpp"
#include "tertium/simulate.hpp"

namespace tertium::internal {

/// F_in and F_out with their one free parameter: mean or alpha. It is infinite for delta = 1, the
/// limit in which similarities inside clusters are always the larger ones.
struct LatentDistributions {
  LatentFamily family = LatentFamily::normal;
  double parameter = 0;
};

/// The distributions with P(w_in > w_out) = (1 + delta) / 2, to 1e-12. `as_printed` takes the
/// paper's mean (1 + delta) / 2 for uniform_normal, which does not give that probability. Throws
/// InputError unless 0 < delta <= 1.
LatentDistributions latent_distributions(LatentFamily family, double delta,
                                         bool as_printed = false);

/// P(w_in > w_out) by its closed form.
double chance_inside_is_larger(const LatentDistributions& distributions);

/// The value of F_in, or F_out, at rank u in (0, 1): its inverse distribution function.
double inside_value(const LatentDistributions& distributions, double rank);
double outside_value(const LatentDistributions& distributions, double rank);

/// F_out(F_in^-1(u)) in [0, 1]: where a similarity from inside would rank among those between
/// clusters. Comparisons need no more than this of the distributions.
double rank_among_outside(const LatentDistributions& distributions, double rank);

/// The distribution function of the standard normal distribution, and its inverse on (0, 1).
double normal_cdf(double x);
double normal_quantile(double probability);

/// Tells whether a similarity from inside, of rank u in F_in, is larger than one between clusters,
/// of rank v in F_out: rank_among_outside(u) > v. Ranks are given as the random numbers r that they
/// are unit_interval(r) of. Almost always decided by a table of integers; exact always.
class InsideAgainstOutside {
 public:
  explicit InsideAgainstOutside(const LatentDistributions& distributions);

  [[nodiscard]] bool inside_is_larger(std::uint64_t inside, std::uint64_t outside) const {
    const std::uint64_t step = outside >> (64U - unit_interval_bits);
    const std::size_t cell = inside >> (64U - cell_bits);
    const bool surely = step < steps_below_[cell];
    const bool surely_not = step > steps_below_[cell + 1];
    if (surely == surely_not) [[unlikely]] {  // neither
      return rank_among_outside(distributions_, unit_interval(inside)) > unit_interval(outside);
    }
    return surely;
  }

 private:
  static constexpr unsigned cell_bits = 11;  // one in 2^11 needs the distributions themselves

  LatentDistributions distributions_;
  // For ranks u = c / 2^cell_bits: how many whole steps of unit_interval are below
  // rank_among_outside(u).
  std::vector<std::uint64_t> steps_below_;
};

}  // namespace tertium::internal
