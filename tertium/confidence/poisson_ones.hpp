#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "tertium/core/random.hpp"

namespace tertium::internal {

/// Numbers that are Poisson with mean 1, by inversion; beyond 15 the chance is below 1e-13. The
/// first eight binary digits nearly always decide, and one random number has eight times eight.
class PoissonOnes {
 public:
  explicit PoissonOnes(Random random) : random_(random) {
    double probability = std::exp(-1.0);
    double sum = 0;
    for (std::size_t count = 0; count < upper_end_.size(); ++count) {
      sum += probability;
      upper_end_[count] = sum;
      probability /= static_cast<double>(count + 1);
    }
    for (std::size_t digits = 0; digits < by_digits_.size(); ++digits) {
      const std::int32_t least = count_at(static_cast<double>(digits) / 256);
      // A number on an upper end already belongs to the next count.
      const bool decided = static_cast<double>(digits + 1) / 256 <= upper_end_[at(least)];
      by_digits_[digits] = decided ? least : undecided;
    }
  }

  std::int32_t next() {
    if (left_ == 0) {
      digits_ = random_.next();
      left_ = 8;
    }
    const std::size_t first = digits_ & 0xFFU;
    digits_ >>= 8U;
    --left_;
    if (by_digits_[first] != undecided) [[likely]]
      return by_digits_[first];
    return count_at((static_cast<double>(first) + random_.uniform()) / 256);
  }

 private:
  static constexpr std::int32_t undecided = -1;
  static std::size_t at(std::int32_t count) { return static_cast<std::size_t>(count); }

  [[nodiscard]] std::int32_t count_at(double where) const {
    std::int32_t count = 0;
    while (at(count) + 1 < upper_end_.size() && where >= upper_end_[at(count)]) ++count;
    return count;
  }

  Random random_;
  std::array<double, 16> upper_end_{};
  std::array<std::int32_t, 256> by_digits_{};
  std::uint64_t digits_ = 0;
  int left_ = 0;  // groups of eight digits
};

}  // namespace tertium::internal
