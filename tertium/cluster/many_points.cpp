#include "tertium/cluster/many_points.hpp"

#include <algorithm>
#include <atomic>

#include <Eigen/Core>
#include <fmt/format.h>

#include "tertium/core/clock.hpp"
#include "tertium/error.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/kmeans.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// As scikit-learn had it for years; nothing is proved, so that more would not be enough either.
constexpr int restarts = 10;

using Rows =
    Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Rows rows_of(const PointTable& points) {
  return {points.coordinates.data(), static_cast<Index>(points.size()),
          static_cast<Index>(points.dimensions())};
}

/// A column for each cluster.
MatrixXd centres_of(const PointTable& points, const Labels& labels, int clusters) {
  const Rows rows = rows_of(points);
  // From the first point of the data: coordinates may be large and their differences small.
  const VectorXd origin = rows.row(0).transpose();
  MatrixXd centres = MatrixXd::Zero(rows.cols(), clusters);
  VectorXd sizes = VectorXd::Zero(clusters);
  for (Index i = 0; i < rows.rows(); ++i) {
    const auto label = labels[static_cast<std::size_t>(i)];
    centres.col(label) += rows.row(i).transpose() - origin;
    ++sizes[label];
  }
  for (Index c = 0; c < clusters; ++c) centres.col(c) = centres.col(c) / sizes[c] + origin;
  return centres;
}

Labels best_of_restarts(const PointTable& points, int clusters, Run& run) {
  const MatrixXd rows = rows_of(points);
  std::vector<KmeansResult> found(restarts);
  std::atomic<std::size_t> next = 0;
  run.workers(std::min(run.threads(), restarts), [&](int) {
    for (std::size_t r = next.fetch_add(1); r < found.size(); r = next.fetch_add(1)) {
      run.check();
      Random random = run.stream("k-means", r);
      found[r] = kmeans(rows, clusters, random);
    }
  });
  return std::min_element(
             found.begin(), found.end(),
             [](const KmeansResult& a, const KmeansResult& b) { return a.squares < b.squares; })
      ->labels;
}

/// The members of every cluster, the nearest to its centre first.
std::vector<std::vector<std::uint32_t>> members_of(const PointTable& points, const Labels& labels,
                                                   int clusters) {
  const Rows rows = rows_of(points);
  const MatrixXd centres = centres_of(points, labels, clusters);
  std::vector<std::vector<std::uint32_t>> members(static_cast<std::size_t>(clusters));
  std::vector<double> distance(labels.size());
  for (std::uint32_t i = 0; i < labels.size(); ++i) {
    distance[i] = (rows.row(i).transpose() - centres.col(labels[i])).squaredNorm();
    members[static_cast<std::size_t>(labels[i])].push_back(i);
  }
  for (auto& cluster : members) {
    std::stable_sort(cluster.begin(), cluster.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return distance[a] < distance[b]; });
  }
  return members;
}

}  // namespace

Clustering cluster_many_points(const LoadedSimilarity& loaded, const ClusterOptions& options,
                               Run& run) {
  const Clock clock;
  const PointTable& points = loaded.points->table;
  const auto* given = std::get_if<Clusters>(&options.count);
  if (given == nullptr) {
    throw InputError(
        {{},
         fmt::format("{} points and --clusters {}", points.size(), to_string(options.count)),
         fmt::format("a number of clusters: others are compared up to {} points",
                     most_points_with_similarity),
         "Give --clusters K, or a part of the points"});
  }
  if (given->count < 1 || static_cast<std::size_t>(given->count) > points.size()) {
    throw InputError({{},
                      fmt::format("{} clusters", given->count),
                      fmt::format("1 to {} clusters", points.size()),
                      "Give another number with --clusters"});
  }
  run.say("k-means");
  Clustering result;
  result.clusters = given->count;
  result.labels = in_order_of_size(best_of_restarts(points, given->count, run));
  for (std::uint32_t i = 0; i < points.size(); ++i) result.clustered.push_back(i);
  result.members = members_of(points, result.labels, result.clusters);
  result.objective = -sum_of_squares(points, result.labels, result.clusters);
  result.warnings.push_back(fmt::format(
      "no proof and no bound for {} points: all distances are needed, which are kept for up to {} "
      "points; the clusters are the best of {} runs of k-means",
      points.size(), most_points_with_similarity, restarts));
  result.seconds = clock.seconds();
  return result;
}

double sum_of_squares(const PointTable& points, const Labels& labels, int clusters) {
  const Rows rows = rows_of(points);
  const MatrixXd centres = centres_of(points, labels, clusters);
  double sum = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    sum +=
        (rows.row(i).transpose() - centres.col(labels[static_cast<std::size_t>(i)])).squaredNorm();
  }
  return sum;
}

}  // namespace tertium::internal
