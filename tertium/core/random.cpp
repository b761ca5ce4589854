#include "tertium/core/random.hpp"

#include <cmath>
#include <numbers>

namespace tertium::internal {

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

std::uint64_t Random::below(std::uint64_t count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(next()) * count) >> 64U);
}

Random random_stream(std::uint64_t seed, std::uint64_t number) {
  return Random(Random(Random(seed).next() + number).next());
}

}  // namespace tertium::internal
