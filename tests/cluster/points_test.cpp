#include <limits>

#include <gtest/gtest.h>

#include "tertium/cluster.hpp"
#include "tertium/error.hpp"
#include "tertium/report.hpp"

namespace tertium {
namespace {

PointTable on_a_line(const std::vector<double>& places) {
  PointTable points;
  points.columns = {"place"};
  for (const double place : places) {
    points.items.push_back("p" + std::to_string(points.items.size()));
    points.coordinates.push_back(place);
  }
  return points;
}

ClusterOptions in_groups(int clusters) {
  ClusterOptions options;
  options.count = Clusters{clusters};
  return options;
}

/// On a line the best groups are intervals: tries all of two or three.
double least_squares(const std::vector<double>& sorted, int clusters) {
  if (clusters == 1) {
    double mean = 0;
    for (const double x : sorted) mean += x / static_cast<double>(sorted.size());
    double sum = 0;
    for (const double x : sorted) sum += (x - mean) * (x - mean);
    return sum;
  }
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t cut = 1; cut + 1 <= sorted.size(); ++cut) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(cut);
    const std::vector<double> left(sorted.begin(), at);
    const std::vector<double> right(at, sorted.end());
    if (right.size() + 1 < static_cast<std::size_t>(clusters)) break;
    best = std::min(best, least_squares(left, 1) + least_squares(right, clusters - 1));
  }
  return best;
}

TEST(ClustersOfPoints, AreTheBestOnALine) {
  tertium::Run run;
  std::vector<double> places;
  for (int i = 0; i < 30; ++i) places.push_back(0.5 * i + (i * i) % 7);
  std::sort(places.begin(), places.end());
  for (const int clusters : {1, 2, 3, 4}) {
    const ResultView found = cluster(load_points(on_a_line(places), run), in_groups(clusters), run);
    ASSERT_TRUE(found.points);
    EXPECT_NEAR(found.points->squares, least_squares(places, clusters), 1e-9);
    EXPECT_LE(*found.points->least_squares, found.points->squares);
    EXPECT_LE(*found.gap, 1e-6);
    EXPECT_EQ(found.points->columns, std::vector<std::string>{"place"});
    // What is kept says the same.
    const ResultView read = result_from_json(result_as_json(found), "result.json");
    EXPECT_EQ(read.points->squares, found.points->squares);
    EXPECT_EQ(result_as_text(read, false), result_as_text(found, false));
  }
}

TEST(ClustersOfPoints, NeedANumberOfGroups) {
  tertium::Run run;
  const LoadedSimilarity loaded = load_points(on_a_line({1, 2, 4, 8}), run);
  EXPECT_THROW(cluster(loaded, {}, run), InputError);
  EXPECT_THROW(cluster(loaded, in_groups(5), run), InputError);
  EXPECT_THROW(cluster(loaded, in_groups(0), run), InputError);
}

TEST(ClustersOfPoints, HaveNoBoundWhereThereAreTooMany) {
  tertium::Run run;
  std::vector<double> places;
  for (std::size_t i = 0; i <= most_points_with_similarity; ++i) {
    places.push_back(static_cast<double>(i % 3) * 100 + static_cast<double>(i) / 1e4);
  }
  const ResultView found = cluster(load_points(on_a_line(places), run), in_groups(3), run);
  EXPECT_FALSE(found.points->least_squares);
  EXPECT_FALSE(found.upper_bound);
  EXPECT_FALSE(found.is_proved());
  std::sort(places.begin(), places.end());
  double squares = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    std::vector<double> own;
    for (const double x : places) {
      if (x >= 100 * static_cast<double>(a) - 50 && x < 100 * static_cast<double>(a) + 50) {
        own.push_back(x);
      }
    }
    squares += least_squares(own, 1);
  }
  EXPECT_NEAR(found.points->squares, squares, 1e-9 * squares);
}

}  // namespace
}  // namespace tertium
