#include "tertium/points.hpp"

#include <cmath>

#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/simulate.hpp"

namespace tertium::internal {
namespace {

void scale_to_length_one(Points& points, const PointTable& table) {
  for (std::size_t i = 0; i < points.count; ++i) {
    double* x = points.coordinates.data() + i * points.dimensions;
    double length = 0;
    for (std::size_t d = 0; d < points.dimensions; ++d) length += x[d] * x[d];
    if (length == 0) {
      throw InputError({{table.inputs.front().path},
                        "the point " + in_quotes(table.items[i]) + " at the origin",
                        "points with a direction, which the cosine similarity needs",
                        "Leave it out, or use --similarity gaussian"});
    }
    for (std::size_t d = 0; d < points.dimensions; ++d) x[d] *= 1 / std::sqrt(length);
  }
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::optional<PointSimilarity> parse_point_similarity(std::string_view text) {
  if (text == "gaussian") return PointSimilarity::gaussian;
  if (text == "cosine") return PointSimilarity::cosine;
  return {};
}

double Points::likeness(std::uint64_t i, std::uint64_t j) const {
  const double* x = coordinates.data() + i * dimensions;
  const double* y = coordinates.data() + j * dimensions;
  double product = 0;
  double distance = 0;
  if (similarity == PointSimilarity::cosine) {
    for (std::size_t d = 0; d < dimensions; ++d) product += x[d] * y[d];
    return product;
  }
  for (std::size_t d = 0; d < dimensions; ++d) distance += (x[d] - y[d]) * (x[d] - y[d]);
  return -distance;
}

Points read_points(const InputFile& file, PointSimilarity similarity) {
  PointTable table = read_point_table(file, {});
  Points points;
  points.count = table.size();
  points.dimensions = table.dimensions();
  points.coordinates = std::move(table.coordinates);
  points.similarity = similarity;
  if (similarity == PointSimilarity::cosine) scale_to_length_one(points, table);
  return points;
}

}  // namespace tertium
