#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/core/number.hpp"

namespace tertium::internal {

/// A number of a matrix as it stands in a file.
struct GivenNumber {
  double nearest = 0;              // the nearest double; the number itself if `binary`
  std::optional<Decimal> decimal;  // the number in decimals; none if there are too many digits
  bool binary = false;             // it was a double, not text

  friend bool operator==(const GivenNumber&, const GivenNumber&) = default;
};

/// The text of a cell; nothing if it is no number.
std::optional<GivenNumber> number_from(std::string_view text);

/// A double, which stands for the shortest decimal number that reads back as it (0.1 is a tenth),
/// or, if it is whole, for itself.
GivenNumber number_from(double value);

/// Numbers as integers over a common denominator.
struct ExactValues {
  std::vector<std::int64_t> integers;
  std::int64_t denominator = 1;
  bool rounded = false;  // they did not fit: rounded to multiples of 1 / denominator
};

/// Exactly over the smallest power of ten, else over a power of two, such that twice the sum of
/// their sizes fits in 64 bits; rounded if there is none. Throws InputError, in the name of `file`,
/// if they are too large for 64 bits, or so small that rounding would leave fewer than 30 bits of
/// the largest.
ExactValues exact_values(const std::vector<GivenNumber>& numbers, const std::string& file);

}  // namespace tertium::internal
