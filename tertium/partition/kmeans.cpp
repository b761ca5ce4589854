#include "tertium/partition/kmeans.hpp"

#include <limits>
#include <vector>

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A guard: filling empty clusters may go round in circles. All searches seen end within 25.
constexpr int most_steps = 100;

/// Points are columns here: a distance reads memory in a row.
MatrixXd seed_centres(const MatrixXd& columns, int clusters, Random& random) {
  const Index count = columns.cols();
  MatrixXd centres(columns.rows(), clusters);
  centres.col(0) = columns.col(static_cast<Index>(random.below(static_cast<std::uint64_t>(count))));
  VectorXd nearest = (columns.colwise() - centres.col(0)).colwise().squaredNorm();
  for (Index c = 1; c < clusters; ++c) {
    double left = random.uniform() * nearest.sum();
    Index chosen = 0;
    while (chosen + 1 < count && (left -= nearest[chosen]) >= 0) ++chosen;
    centres.col(c) = columns.col(chosen);
    nearest =
        nearest.cwiseMin((columns.colwise() - centres.col(c)).colwise().squaredNorm().transpose());
  }
  return centres;
}

/// Gives every point its nearest centre; true if a label changed.
bool assign(const MatrixXd& columns, const MatrixXd& centres, Labels& labels, VectorXd& distance) {
  bool changed = false;
  for (Index i = 0; i < columns.cols(); ++i) {
    Index best = 0;
    distance[i] = std::numeric_limits<double>::infinity();
    for (Index c = 0; c < centres.cols(); ++c) {
      const double d = (columns.col(i) - centres.col(c)).squaredNorm();
      if (d < distance[i]) {
        distance[i] = d;
        best = c;
      }
    }
    auto& label = labels[static_cast<std::size_t>(i)];
    changed = changed || label != best;
    label = static_cast<std::int32_t>(best);
  }
  return changed;
}

/// Empty clusters take the point that is farthest from its centre, out of a cluster that has
/// others.
void fill_empty(Labels& labels, VectorXd& distance, std::vector<Index>& sizes) {
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] > 0) continue;
    Index farthest = -1;
    for (Index i = 0; i < distance.size(); ++i) {
      const auto label = static_cast<std::size_t>(labels[static_cast<std::size_t>(i)]);
      if (sizes[label] > 1 && (farthest < 0 || distance[i] > distance[farthest])) farthest = i;
    }
    auto& label = labels[static_cast<std::size_t>(farthest)];
    --sizes[static_cast<std::size_t>(label)];
    label = static_cast<std::int32_t>(c);
    distance[farthest] = 0;
    sizes[c] = 1;
  }
}

}  // namespace

KmeansResult kmeans(const MatrixXd& points, int clusters, Random& random) {
  const MatrixXd columns = points.transpose();
  MatrixXd centres = seed_centres(columns, clusters, random);
  KmeansResult result;
  result.labels.assign(static_cast<std::size_t>(columns.cols()), -1);
  VectorXd distance(columns.cols());
  for (int step = 0; step < most_steps; ++step) {
    const bool changed = assign(columns, centres, result.labels, distance);
    std::vector<Index> sizes(static_cast<std::size_t>(clusters), 0);
    for (const auto label : result.labels) ++sizes[static_cast<std::size_t>(label)];
    fill_empty(result.labels, distance, sizes);
    if (!changed) break;
    centres.setZero();
    for (Index i = 0; i < columns.cols(); ++i) {
      centres.col(result.labels[static_cast<std::size_t>(i)]) += columns.col(i);
    }
    for (Index c = 0; c < clusters; ++c) {
      centres.col(c) /= static_cast<double>(sizes[static_cast<std::size_t>(c)]);
    }
  }
  result.squares = distance.sum();
  return result;
}

}  // namespace tertium::internal
