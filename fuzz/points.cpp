#include <cmath>
#include <string_view>

#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/error.hpp"
#include "tertium/simulate.hpp"

namespace tertium::fuzzing {

/// A table of coordinates, for answers from points.
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
}

}  // namespace tertium::fuzzing
