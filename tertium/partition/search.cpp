#include "tertium/partition/search.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "tertium/core/random.hpp"
#include "tertium/partition/kmeans.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;

// Measured on 368 searches: 23 sets, planted near the threshold or real, 2 to 9 clusters.

/// Eigenvectors are a start for k-means: three digits are plenty. Half and double make no
/// difference, ten times as much misses the best partition in 6 problems more.
constexpr double eigenvector_tolerance = 1e-3;
/// Half the steps end a third worse on planted sets, twice as many are never needed.
constexpr int most_krylov_steps = 30;
/// Blocks of twice the width find nothing more and take 1.3 times as long.
constexpr int vectors_at_once = 4;
/// With a price: splits add more. Half needs 1.2 times as long, for the splits, and finds the best
/// in 3 of 100 problems more; double takes 1.4 times as long for nothing.
constexpr int most_clusters_at_start = 32;

/// Rows to cluster: eigenvectors as they are, or weighted by their eigenvalue, so that weak ones,
/// which are mostly noise, count less. Neither is best everywhere; restarts alternate.
Eigen::MatrixXd embedding(const KrylovResult& start, Index clusters, bool weighted) {
  const Index columns = std::min(clusters, start.vectors.cols());
  Eigen::MatrixXd points = start.vectors.leftCols(columns);
  if (weighted) points *= start.values.head(columns).cwiseMax(0.0).asDiagonal();
  return points;
}

/// f as if the sums had these labels, which are their own with other numbers: a sum of quotients
/// depends on its order.
double value_in_order(const ClusterSums& sums, const Labels& labels) {
  std::vector<int> number(static_cast<std::size_t>(sums.clusters()), 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    number[static_cast<std::size_t>(labels[i])] = sums.labels()[i];
  }
  double value = 0;
  for (const int a : number) {
    value += static_cast<double>(sums.inside(a)) / static_cast<double>(sums.size_of(a));
  }
  return value;
}

FoundPartition best_of_restarts(const SparseMap& similarity, const SearchStart& start, int clusters,
                                std::optional<double> price, Random random,
                                const SearchOptions& options, Run& run) {
  std::map<Labels, double> tried;  // with what became of it
  std::optional<ClusterSums> best;
  int met = 0;  // how often the best value was met
  const auto worth = [&](const ClusterSums& sums) {
    return sums.value() - price.value_or(0) * similarity.denominator() * sums.clusters();
  };
  const auto try_from = [&](const Labels& labels) {
    run.check();
    const auto [before, is_new] = tried.emplace(in_order_of_size(labels), 0);
    if (!is_new) {
      if (before->second == worth(*best)) ++met;
      return;
    }
    ClusterSums sums(similarity, labels, clusters, run);
    move_items(sums);
    before->second = worth(sums);
    const double gain = best ? worth(sums) - worth(*best) : 1;
    if (gain == 0) ++met;
    if (gain <= 0) return;
    met = 1;
    best.emplace(std::move(sums));
  };
  const int most = std::max(options.restarts, options.most_restarts);
  int done = 0;
  for (; done < most && (done < options.restarts || 2 * met <= done); ++done) {
    const Eigen::MatrixXd points = embedding(start.eigenpairs, clusters, done % 2 == 1);
    try_from(kmeans(points, clusters, random).labels);
  }
  const bool agreed = 2 * met > done;
  for (const Labels& labels : start.labels) try_from(labels);
  assert(best.has_value());  // restarts or labels to start from are given
  run.check();
  if (!agreed) {
    for (int vain = 0; vain < options.kicks; ++vain) {
      run.check();
      ClusterSums kicked = *best;
      kick(kicked, random);
      move_items(kicked);
      if (!(worth(kicked) > worth(*best))) continue;
      best.emplace(std::move(kicked));
      vain = -1;
    }
  }
  if (options.whole_clusters) improve(*best, similarity, {price, start.splits}, run);
  FoundPartition found;
  found.labels = in_order_of_size(best->labels());
  found.clusters = best->clusters();
  found.value = value_in_order(*best, found.labels) / similarity.denominator();
  return found;
}

bool only_one_way(const SparseMap& similarity, int clusters) {
  return clusters == 1 || clusters == similarity.size();
}

FoundPartition all_apart(Index items) {
  FoundPartition found;
  found.labels.resize(static_cast<std::size_t>(items));
  std::iota(found.labels.begin(), found.labels.end(), 0);
  found.clusters = static_cast<int>(items);
  return found;
}

}  // namespace

KrylovResult eigenpairs_for_search(const SparseMap& similarity, int clusters, Run& run) {
  const auto wanted = std::min<Index>(clusters, similarity.size());
  KrylovOptions options;
  options.block = vectors_at_once;
  options.most_steps = most_krylov_steps + static_cast<int>(2 * wanted / vectors_at_once);
  options.tolerance = eigenvector_tolerance;
  // The rows of S sum to nearly 0, so that k clusters show in k - 1 eigenvectors; the next one may
  // be noise and would never settle.
  options.accurate = std::max<Index>(wanted - 1, 1);
  options.random = run.stream("eigenvectors of S");
  return leading_eigenpairs(similarity, wanted, options, run);
}

FoundPartition search_partition(const SparseMap& similarity, int clusters,
                                const SearchOptions& options, Run& run) {
  SearchStart start;
  if (!only_one_way(similarity, clusters)) {
    start.eigenpairs = eigenpairs_for_search(similarity, clusters, run);
  }
  return search_partition(similarity, clusters, start, run.stream("search"), options, run);
}

FoundPartition search_partition(const SparseMap& similarity, int clusters, const SearchStart& start,
                                Random random, const SearchOptions& options, Run& run) {
  run.check();
  if (!only_one_way(similarity, clusters)) {
    return best_of_restarts(similarity, start, clusters, std::nullopt, random, options, run);
  }
  if (clusters != 1) return all_apart(similarity.size());
  const Labels together(static_cast<std::size_t>(similarity.size()), 0);
  return {together, 1, partition_value(similarity, together, run)};
}

int eigenpairs_for_priced_search(const SparseMap& similarity) {
  return static_cast<int>(std::min<Index>(similarity.size(), most_clusters_at_start));
}

FoundPartition search_priced_partition(const SparseMap& similarity, double lambda,
                                       const KrylovResult& eigenpairs, const SearchOptions& options,
                                       Run& run) {
  const int wanted = eigenpairs_for_priced_search(similarity);
  const auto leading = eigenpairs.values.head(std::min<Index>(wanted, eigenpairs.values.size()));
  const auto above = static_cast<int>((leading.array() > lambda).count());
  const int clusters = std::clamp(above, 1, wanted);
  return best_of_restarts(similarity, {eigenpairs, {}, nullptr}, clusters, lambda,
                          run.stream("priced search"), options, run);
}

double partition_value(const SparseMap& similarity, const Labels& labels, Run& run) {
  return ClusterSums(similarity, labels, count_clusters(labels), run).value() /
         similarity.denominator();
}

}  // namespace tertium::internal
