#pragma once

#include <cstdint>

namespace tertium {

/// A stream of random numbers, the same for the same seed on every machine (splitmix64; the
/// standard library's distributions differ between implementations).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  double uniform();                          // in [0, 1)
  double normal();                           // standard normal
  std::uint64_t below(std::uint64_t count);  // 0 .. count-1, count > 0; bias below count / 2^64

 private:
  std::uint64_t state_;
};

/// One of many streams that have nothing to do with each other: stream `number` of a seed.
Random random_stream(std::uint64_t seed, std::uint64_t number);

}  // namespace tertium
