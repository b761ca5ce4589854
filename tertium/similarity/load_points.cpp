#include "tertium/similarity.hpp"
#include "tertium/similarity/squared_distances.hpp"

namespace tertium {

using namespace internal;

LoadedSimilarity load_points(const PointTable& points, Run& run) {
  validate(points);
  LoadedSimilarity loaded;
  loaded.inputs = points.inputs;
  loaded.points = PointOrigin{points, points.size() <= most_points_with_similarity, false};
  if (loaded.points->has_similarity) {
    SquaredDistances distances = squared_distances(points, run);
    loaded.similarity = std::move(distances.similarity);
    loaded.points->rounded = distances.rounded;
    return loaded;
  }
  loaded.similarity.rule = from_points;
  loaded.similarity.items = points.items;
  loaded.similarity.row_start.assign(points.size() + 1, 0);
  loaded.similarity.mentions.assign(points.size(), 0);
  loaded.similarity.anchors.assign(points.size(), 0);
  return loaded;
}

}  // namespace tertium
