#pragma once

#include <cstdint>

namespace tertium::internal {

/// Random numbers by name instead of in a row: the number that belongs to (key, counter) is the
/// same whoever asks and in which order, so nothing needs to be stored. splitmix64 at any place of
/// its sequence; each key starts elsewhere in it.
inline std::uint64_t random_at(std::uint64_t key, std::uint64_t counter) {
  std::uint64_t mixed = key + counter * 0x9E3779B97F4A7C15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  return mixed ^ (mixed >> 31U);
}

/// A random number as 0 .. count-1; bias below count / 2^64.
inline std::uint64_t scaled_below(std::uint64_t random, std::uint64_t count) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(random) * count) >> 64U);
}

/// A random number as a number in (0, 1): the middle of one of 2^52 equal steps.
inline constexpr unsigned unit_interval_bits = 52;
inline double unit_interval(std::uint64_t random) {
  return (static_cast<double>(random >> (64U - unit_interval_bits)) + 0.5) * 0x1p-52;
}

/// What the parts of a simulation draw from: each has its own key.
enum class RandomUse : std::uint64_t {
  clusters = 1,
  similarities,
  questions,
  noise,
  participants,
  resampling
};

inline std::uint64_t key_for(std::uint64_t seed, RandomUse use) {
  return random_at(random_at(0, seed), static_cast<std::uint64_t>(use));
}

}  // namespace tertium::internal
