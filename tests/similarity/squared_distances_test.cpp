#include "tertium/similarity/squared_distances.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/verify.hpp"

namespace tertium::internal {
namespace {

PointTable points_of(std::size_t dimensions, std::vector<double> coordinates) {
  PointTable points;
  for (std::size_t i = 0; i * dimensions < coordinates.size(); ++i) {
    points.items.push_back(std::to_string(i));
  }
  for (std::size_t d = 0; d < dimensions; ++d) points.columns.push_back(std::to_string(d));
  points.coordinates = std::move(coordinates);
  return points;
}

double entry(const SimilarityMatrix& s, std::size_t i, std::size_t j) {
  for (std::size_t at = s.row_start[i]; at < s.row_start[i + 1]; ++at) {
    if (s.column[at] != j) continue;
    return static_cast<double>(s.value[at]) / 2 * std::pow(10.0, s.exponent);
  }
  return 0;
}

/// Against the definition, and against what the checker measures.
void expect_right(const PointTable& points) {
  tertium::Run run;
  const SquaredDistances found = squared_distances(points, run);
  const double unit = std::pow(10.0, found.similarity.exponent);
  const std::size_t d = points.dimensions();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double square = 0;
      for (std::size_t c = 0; c < d; ++c) {
        const double x = points.coordinates[i * d + c] - points.coordinates[j * d + c];
        square += x * x;
      }
      const double off = std::abs(entry(found.similarity, i, j) + square / 2);
      EXPECT_LE(off, (found.rounded ? unit / 2 : 0) + 1e-14 * square);
    }
  }
  const GivenSums given = measure_points(points, found.similarity.exponent, run);
  EXPECT_EQ(given.triangle, static_cast<const IntegerTriangle&>(found.similarity));
  EXPECT_EQ(given.rounded, found.rounded);
  EXPECT_EQ(given.exponent, found.similarity.exponent);
}

TEST(SquaredDistances, AreExactInTheUnitOfTheCoordinates) {
  tertium::Run run;
  const SquaredDistances found = squared_distances(points_of(2, {0.1, 0, 0.4, 40, 0.1, 0}), run);
  EXPECT_FALSE(found.rounded);
  EXPECT_EQ(found.similarity.exponent, -2);
  EXPECT_EQ(found.similarity.denominator, 2);
  EXPECT_EQ(found.similarity.column, (std::vector<std::uint32_t>{0, 1}));  // equal points: 0
  EXPECT_EQ(found.similarity.value, (std::vector<std::int64_t>{-160009, -160009}));
}

TEST(SquaredDistances, AreRightOrWithinHalfAUnit) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const double scale : {1e-120, 1e-9, 1.0, 1e5, 1e120}) {
    for (const int decimals : {0, 3, 17}) {
      std::vector<double> x(60);
      for (double& value : x) {
        value = normal(random);
        if (decimals < 17)
          value = std::round(value * std::pow(10, decimals)) / std::pow(10, decimals);
        value *= scale;
      }
      expect_right(points_of(3, x));
    }
  }
  expect_right(points_of(1, {0, 0, 0}));
  expect_right(points_of(1, {7}));
  expect_right(points_of(2, {1e-30, 0, 1, 1e-20, 3, 0.1}));
  expect_right(points_of(1, {1e16, 1e16 + 2, 1}));
  expect_right(points_of(1, {0x1p63, 0x1p64, 1.5}));
}

TEST(SquaredDistances, RefuseWhatHasNoSquares) {
  tertium::Run run;
  EXPECT_THROW(squared_distances(points_of(1, {1e200, 1}), run), InputError);
  EXPECT_THROW(squared_distances(points_of(1, {1e-200, 2e-200}), run), InputError);
  EXPECT_THROW(squared_distances(points_of(1, {std::numeric_limits<double>::quiet_NaN(), 1}), run),
               InputError);
  PointTable twice = points_of(1, {1, 2});
  twice.items[1] = twice.items[0];
  EXPECT_THROW(squared_distances(twice, run), InputError);
}

TEST(SquaredDistances, AreMeasuredInNoUnitThatIsTooFine) {
  tertium::Run run;
  const PointTable points = points_of(1, {0.5, 2, 3});
  EXPECT_EQ(measure_points(points, -4, run).exponent, -2);
  EXPECT_EQ(measure_points(points, -2, run).exponent, -2);
  EXPECT_TRUE(measure_points(points, 0, run).rounded);
}

}  // namespace
}  // namespace tertium::internal
