#pragma once

#include <cstdint>

namespace tertium::internal {

/// A stream of random numbers, the same for the same seed on every machine (splitmix64; the
/// standard library's distributions differ between implementations).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }
  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  double normal();                           // standard normal
  std::uint64_t below(std::uint64_t count);  // 0 .. count-1, count > 0; bias below count / 2^64

 private:
  std::uint64_t state_;
};

/// One of many streams that have nothing to do with each other: stream `number` of a seed.
Random random_stream(std::uint64_t seed, std::uint64_t number);

}  // namespace tertium::internal
