#include "tertium/partition/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "tertium/core/error.hpp"
#include "tertium/partition/kmeans.hpp"
#include "tertium/partition/local_search.hpp"

namespace tertium {
namespace {

using Eigen::Index;

/// Eigenvectors are a start for k-means: three digits are plenty.
constexpr double eigenvector_tolerance = 1e-3;
constexpr int most_krylov_steps = 30;
constexpr int widest_start = 8;
constexpr int most_clusters_at_start = 32;  // with a price: splits add more

void check(const SearchOptions& options) {
  if (options.keep_going && !options.keep_going()) throw Cancelled();
}

KrylovResult spectral_start(const SymmetricRows& similarity, Index wanted, std::uint64_t seed) {
  KrylovOptions options;
  options.block = static_cast<int>(std::clamp<Index>(wanted, 4, widest_start));
  options.most_steps = most_krylov_steps + static_cast<int>(2 * wanted / widest_start);
  options.tolerance = eigenvector_tolerance;
  // The rows of S sum to nearly 0, so that k clusters show in k - 1 eigenvectors; the next one may
  // be noise and would never settle.
  options.accurate = std::max<Index>(wanted - 1, 1);
  options.seed = seed;
  const BlockProduct product = [&](const VectorBlock& x, VectorBlock& y) {
    similarity.multiply(x, y);
  };
  return leading_eigenpairs(product, static_cast<Index>(similarity.size()), wanted, options);
}

/// Rows to cluster: eigenvectors as they are, or weighted by their eigenvalue, so that weak ones,
/// which are mostly noise, count less. Neither is best everywhere; restarts alternate.
Eigen::MatrixXd embedding(const KrylovResult& start, Index clusters, bool weighted) {
  const Index columns = std::min(clusters, start.vectors.cols());
  Eigen::MatrixXd points = start.vectors.leftCols(columns);
  if (weighted) points *= start.values.head(columns).cwiseMax(0.0).asDiagonal();
  return points;
}

FoundPartition best_of_restarts(const SymmetricRows& similarity, const SearchStart& start,
                                int clusters, std::optional<double> price,
                                const SearchOptions& options) {
  Random random(options.seed);
  std::set<Labels> tried;
  std::optional<ClusterSums> best;
  const auto worth = [&](const ClusterSums& sums) {
    return sums.value() - price.value_or(0) * similarity.denominator() * sums.clusters();
  };
  const auto try_from = [&](const Labels& labels) {
    check(options);
    if (!tried.insert(in_order_of_size(labels)).second) return;
    ClusterSums sums(similarity, labels, clusters);
    move_items(sums);
    if (!best || worth(sums) > worth(*best)) best.emplace(std::move(sums));
  };
  for (int restart = 0; restart < options.restarts; ++restart) {
    const Eigen::MatrixXd points = embedding(start.eigenpairs, clusters, restart % 2 == 1);
    try_from(kmeans(points, clusters, random).labels);
  }
  for (const Labels& labels : start.labels) try_from(labels);
  check(options);
  if (options.whole_clusters) improve(*best, similarity, {price, options.seed});
  FoundPartition found;
  found.labels = in_order_of_size(best->labels());
  found.clusters = best->clusters();
  found.value = best->value() / similarity.denominator();
  return found;
}

bool only_one_way(const SymmetricRows& similarity, int clusters) {
  return clusters == 1 || static_cast<std::size_t>(clusters) == similarity.size();
}

FoundPartition all_apart(std::size_t items) {
  FoundPartition found;
  found.labels.resize(items);
  std::iota(found.labels.begin(), found.labels.end(), 0);
  found.clusters = static_cast<int>(items);
  return found;
}

}  // namespace

FoundPartition search_partition(const SymmetricRows& similarity, int clusters,
                                const SearchOptions& options) {
  check(options);
  SearchStart start;
  if (!only_one_way(similarity, clusters)) {
    start.eigenpairs = spectral_start(similarity, clusters, options.seed);
  }
  return search_partition(similarity, clusters, start, options);
}

FoundPartition search_partition(const SymmetricRows& similarity, int clusters,
                                const SearchStart& start, const SearchOptions& options) {
  if (!only_one_way(similarity, clusters)) {
    return best_of_restarts(similarity, start, clusters, std::nullopt, options);
  }
  if (clusters != 1) return all_apart(similarity.size());
  const Labels together(similarity.size(), 0);
  return {together, 1, partition_value(similarity, together)};
}

FoundPartition search_priced_partition(const SymmetricRows& similarity, double lambda,
                                       const SearchOptions& options) {
  check(options);
  const auto items = static_cast<Index>(similarity.size());
  const Index wanted = std::min<Index>(items, most_clusters_at_start);
  SearchStart start;
  start.eigenpairs = spectral_start(similarity, wanted, options.seed);
  const Eigen::VectorXd& values = start.eigenpairs.values;
  const auto leading = values.head(std::min(wanted, values.size()));
  const auto above = static_cast<int>((leading.array() > lambda).count());
  const int clusters = std::clamp(above, 1, static_cast<int>(wanted));
  return best_of_restarts(similarity, start, clusters, lambda, options);
}

double partition_value(const SymmetricRows& similarity, const Labels& labels) {
  return ClusterSums(similarity, labels, count_clusters(labels)).value() / similarity.denominator();
}

}  // namespace tertium
