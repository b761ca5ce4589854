#include "tertium/similarity/squared_distances.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

__extension__ using Wide = __int128;

/// Of the largest coordinate, as an integer on the grid: squares and their sums over columns fit in
/// 128 bits then.
constexpr int most_digits = 16;
constexpr std::size_t most_dimensions = 100'000;
/// Decimal exponents of coordinates: squares of others leave double precision.
constexpr int largest_exponent = 140;
/// Sums of S over all ordered pairs are exact as doubles then, which proofs ask for.
constexpr double most_units = 0x1p52;

int digits_of(std::int64_t number) {
  int digits = 0;
  for (; number != 0; number /= 10) ++digits;
  return digits;
}

Wide power_of_ten(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// number / divisor to the nearest integer, halves away from zero.
Wide divided(Wide number, Wide divisor) {
  const Wide half = divisor / 2;
  return (number < 0 ? number - half : number + half) / divisor;
}

/// Coordinates as integers, in units of 10^exponent.
struct Grid {
  std::vector<std::int64_t> coordinates;
  int exponent = 0;
  bool rounded = false;
};

Grid grid_of(const PointTable& points) {
  std::vector<Decimal> decimals;
  decimals.reserve(points.coordinates.size());
  Grid grid;
  int largest = -1000;  // power of ten above all coordinates
  int finest = 1000;
  for (const double x : points.coordinates) {
    const Decimal number = decimals.emplace_back(shortest_decimal(x));
    if (number.mantissa == 0) continue;
    largest = std::max(largest, number.exponent + digits_of(number.mantissa));
    finest = std::min(finest, number.exponent);
  }
  if (finest > largest) return {std::vector<std::int64_t>(decimals.size(), 0), 0, false};
  if (largest > largest_exponent || largest < -largest_exponent) {
    throw InputError({{},
                      fmt::format("coordinates of a size of 1e{}", largest - 1),
                      "coordinates whose squares are neither 0 nor infinite",
                      "Measure them in another unit"});
  }
  grid.exponent = std::max(finest, largest - most_digits);
  for (const Decimal& number : decimals) {
    const int steps = number.exponent - grid.exponent;
    Wide value = number.mantissa;
    if (steps >= 0) {
      value *= number.mantissa == 0 ? 1 : power_of_ten(steps);
    } else {
      const Wide unit = power_of_ten(std::min(-steps, 2 * most_digits));
      grid.rounded = grid.rounded || value % unit != 0;
      value = divided(value, unit);
    }
    grid.coordinates.push_back(static_cast<std::int64_t>(value));
  }
  return grid;
}

/// |x_i - x_j|^2 on the grid.
template <class Number>
Number squared_distance(const Grid& grid, std::size_t dimensions, std::size_t i, std::size_t j) {
  Number sum = 0;
  const std::int64_t* const x = grid.coordinates.data() + i * dimensions;
  const std::int64_t* const y = grid.coordinates.data() + j * dimensions;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto difference = static_cast<Number>(x[d] - y[d]);
    sum += difference * difference;
  }
  return sum;
}

/// Squared distances, but for rounding of doubles.
struct Sizes {
  double sum = 0;  // over ordered pairs
  double largest = 0;
};

Sizes sizes_of(const Grid& grid, std::size_t count, std::size_t dimensions, Run& run) {
  Sizes sizes;
  for (std::size_t i = 0; i < count; ++i) {
    run.check();
    for (std::size_t j = 0; j < i; ++j) {
      const double square = squared_distance<double>(grid, dimensions, i, j);
      sizes.sum += 2 * square;
      sizes.largest = std::max(sizes.largest, square);
    }
  }
  return sizes;
}

/// What rounding of coordinates to the grid can have done to a squared distance, at most: each
/// difference moves by at most one.
Wide largest_shift(double largest_square, std::size_t dimensions) {
  const double differences = std::sqrt(static_cast<double>(dimensions) * largest_square);
  return static_cast<Wide>(2.001 * differences) + static_cast<Wide>(dimensions) + 1;
}

}  // namespace

SquaredDistances squared_distances(const PointTable& points, Run& run) {
  validate(points);
  const std::size_t count = points.size();
  const std::size_t dimensions = points.dimensions();
  if (dimensions > most_dimensions) {
    throw InputError({{},
                      fmt::format("{} columns of coordinates", dimensions),
                      fmt::format("at most {}", most_dimensions),
                      "Choose some with --columns"});
  }
  const Grid grid = grid_of(points);
  const Sizes sizes = sizes_of(grid, count, dimensions, run);
  // Rounding of coordinates and of distances moves a distance by half a unit each, at most.
  const Wide shift = grid.rounded ? largest_shift(sizes.largest, dimensions) : 0;
  int steps = 0;
  while (sizes.sum / std::pow(10.0, steps) > most_units || power_of_ten(steps) < 2 * shift) ++steps;
  const Wide unit = power_of_ten(steps);

  SquaredDistances result;
  result.rounded = grid.rounded;
  SimilarityMatrix& matrix = result.similarity;
  matrix.rule = from_points;
  matrix.items = points.items;
  matrix.mentions.assign(count, 0);
  matrix.anchors.assign(count, 0);
  matrix.denominator = 2;
  matrix.exponent = 2 * grid.exponent + steps;
  matrix.row_start.push_back(0);
  for (std::size_t i = 0; i < count; ++i) {
    run.check();
    for (std::size_t j = 0; j < i; ++j) {
      const Wide square = squared_distance<Wide>(grid, dimensions, i, j);
      result.rounded = result.rounded || square % unit != 0;
      const auto value = static_cast<std::int64_t>(divided(square, unit));
      if (value == 0) continue;
      matrix.column.push_back(static_cast<std::uint32_t>(j));
      matrix.value.push_back(-value);
    }
    matrix.row_start.push_back(matrix.value.size());
  }
  return result;
}

}  // namespace tertium::internal
