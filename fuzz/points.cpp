#include "tertium/points.hpp"

#include <cmath>
#include <string_view>

#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/error.hpp"
#include "tertium/similarity.hpp"
#include "tertium/simulate.hpp"
#include "tertium/verify.hpp"

namespace tertium::fuzzing {

namespace {
constexpr std::size_t most_points_measured = 300;  // n^2 distances
}

/// A table of coordinates, for answers from points and for groups of them.
void read_points_file(std::string_view bytes) {
  const MemoryFile file(bytes);
  for (const auto similarity : {PointSimilarity::gaussian, PointSimilarity::cosine}) {
    try {
      const Points points = read_points(file.path(), similarity);
      promise(points.coordinates.size() == points.count * points.dimensions,
              "every point has its coordinates");
      for (const double x : points.coordinates) promise(std::isfinite(x), "coordinates are finite");
    } catch (const InputError&) {
    }
  }
  PointOptions named;
  named.header = true;
  named.name_column = "1";
  named.exclude_columns = {"3"};
  for (const PointOptions& options : {PointOptions(), named}) {
    try {
      const PointTable table = read_point_table(file.path(), options);
      validate(table);
      if (table.size() > most_points_measured) continue;
      Run run({.threads = 1});
      const LoadedSimilarity loaded = load_points(table, run);
      const GivenSums given = measure_points(table, loaded.similarity.exponent, run);
      promise(given.triangle == static_cast<const IntegerTriangle&>(loaded.similarity),
              "the checker measures the same distances");
      promise(given.rounded == loaded.points->rounded, "and knows as well whether they are exact");
    } catch (const InputError&) {
    }
  }
}

}  // namespace tertium::fuzzing
