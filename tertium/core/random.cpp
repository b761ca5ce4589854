#include "tertium/core/random.hpp"

#include <cmath>
#include <numbers>

namespace tertium {

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31U);
}

double Random::uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

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

}  // namespace tertium
