#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/error.hpp"
#include "tertium/verify.hpp"
#include "tertium/verify/pair_sums.hpp"

namespace tertium::internal {
namespace {

__extension__ using Wide = __int128;

/// Digits of the largest coordinate in units of the grid (docs/certificate.md).
constexpr int grid_digits = 16;
/// So that sums of squares over this many columns fit in 128 bits, as 10^38 does.
constexpr std::size_t most_columns = 100'000;
constexpr int largest_power = 37;

struct Coordinates {
  std::vector<std::int64_t> numbers;  // in units of 10^exponent
  int exponent = 0;
  bool rounded = false;
};

Wide ten_to(int power) { return power == 0 ? Wide{1} : 10 * ten_to(power - 1); }

/// The nearest integer to number / 10^power, halves away from zero.
Wide shortened(Wide number, int power, bool& rounded) {
  if (power > largest_power) {
    rounded = rounded || number != 0;
    return 0;
  }
  const Wide unit = ten_to(power);
  const Wide rest = number % unit;
  rounded = rounded || rest != 0;
  const Wide whole = number / unit;
  if (2 * (rest < 0 ? -rest : rest) < unit) return whole;
  return number < 0 ? whole - 1 : whole + 1;
}

Coordinates coordinates_of(const PointTable& points) {
  constexpr int none = 100'000;
  int finest = none;
  int largest = -none;
  std::vector<Decimal> decimals;
  for (const double x : points.coordinates) {
    const Decimal& number = decimals.emplace_back(shortest_decimal(x));
    if (number.mantissa == 0) continue;
    const auto digits = static_cast<int>(
        std::to_string(number.mantissa < 0 ? -number.mantissa : number.mantissa).size());
    finest = std::min(finest, number.exponent);
    largest = std::max(largest, number.exponent + digits);
  }
  Coordinates result;
  if (finest != none) result.exponent = std::max(finest, largest - grid_digits);
  for (const Decimal& number : decimals) {
    const int zeros = number.mantissa == 0 ? 0 : number.exponent - result.exponent;
    const Wide integer = zeros >= 0 ? number.mantissa * ten_to(zeros)
                                    : shortened(number.mantissa, -zeros, result.rounded);
    result.numbers.push_back(static_cast<std::int64_t>(integer));
  }
  return result;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

GivenSums measure_points(const PointTable& points, int exponent, Run& run) {
  validate(points);
  const std::size_t count = points.size();
  const std::size_t columns = points.dimensions();
  if (columns > most_columns) {
    throw InputError(
        {{}, fmt::format("{} columns", columns), fmt::format("at most {}", most_columns), ""});
  }
  const Coordinates given = coordinates_of(points);
  const int power = exponent - 2 * given.exponent;
  GivenSums result;
  result.kind = "points";
  result.items = points.items;
  result.exponent = exponent;
  const auto in_another_unit = [&](int suitable) {
    result.exponent = suitable;
    return result;
  };
  if (power < 0 || power > largest_power) return in_another_unit(2 * given.exponent);
  result.rounded = given.rounded;
  verifying::PairSums pairs;
  Wide sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    run.check();
    for (std::uint32_t j = 0; j < i; ++j) {
      Wide squares = 0;
      Wide differences = 0;
      for (std::size_t d = 0; d < columns; ++d) {
        const Wide difference =
            Wide{given.numbers[columns * i + d]} - given.numbers[columns * j + d];
        squares += difference * difference;
        differences += difference < 0 ? -difference : difference;
      }
      // Coordinates that were rounded to the grid may not move a distance by more than half a unit.
      const auto shift = 2 * differences + static_cast<Wide>(columns);
      if (given.rounded && 2 * shift > ten_to(power)) return in_another_unit(exponent + 1);
      const Wide integer = shortened(squares, power, result.rounded);
      sum += 2 * integer;
      if (sum > Wide{1} << 62U) return in_another_unit(exponent + 1);
      if (integer != 0) pairs.add(i, j, -static_cast<std::int64_t>(integer));
    }
  }
  result.triangle = verifying::triangle_of(pairs, count, 2);
  return result;
}

}  // namespace tertium
