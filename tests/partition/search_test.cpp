#include "tertium/partition/search.hpp"

#include <gtest/gtest.h>

#include "tertium/core/random.hpp"
#include "tertium/error.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/kmeans.hpp"
#include "tertium/partition/local_search.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

TEST(ClusterSums, PredictEveryChange) {
  const MatrixXd similarity = random_symmetric(12, 1);
  const SparseMap rows(to_similarity(similarity));
  tertium::Run run;
  std::mt19937 random(2);
  Labels labels(12);
  for (auto& label : labels) label = static_cast<std::int32_t>(random() % 4);
  ClusterSums sums(rows, labels, 4, run);
  for (int step = 0; step < 200; ++step) {
    const std::size_t item = random() % 12;
    const int target = static_cast<int>(random() % 4);
    const double before = value_by_definition(similarity, sums.labels());
    EXPECT_NEAR(sums.value(), before, 1e-9);
    const double gain = sums.gain_of_move(item, target);
    sums.move(item, target);
    EXPECT_NEAR(value_by_definition(similarity, sums.labels()), before + gain, 1e-9);
  }
  const double before = sums.value();
  const auto between = sums.between();
  const double gain = sums.gain_of_merge(0, 1, between[1]);
  Labels merged = sums.labels();
  std::replace(merged.begin(), merged.end(), 1, 0);
  EXPECT_NEAR(value_by_definition(similarity, merged), before + gain, 1e-9);
}

TEST(ClusterSums, AreTheSameWhetherMovedOrCounted) {
  const SparseMap rows(to_similarity(random_symmetric(30, 5)));
  std::mt19937 random(6);
  tertium::Run run;
  Labels labels(30, 0);
  ClusterSums sums(rows, labels, 3, run);
  for (const unsigned changes : {0U, 1U, 5U, 14U, 15U, 16U, 30U}) {
    for (std::size_t i = 0; i < changes; ++i) {
      labels[i] = (labels[i] + 1 + static_cast<std::int32_t>(random() % 2)) % 3;
    }
    sums.relabel(labels);
    const ClusterSums counted(rows, labels, 3, run);
    EXPECT_EQ(sums.labels(), labels);
    EXPECT_EQ(sums.between(), counted.between());
    EXPECT_EQ(sums.value(), counted.value());
    for (int l = 0; l < 3; ++l) {
      EXPECT_EQ(sums.size_of(l), counted.size_of(l));
      for (std::size_t i = 0; i < 30; ++i)
        EXPECT_EQ(sums.to_cluster(i, l), counted.to_cluster(i, l));
    }
  }
}

TEST(InOrderOfSize, NumbersTheLargestFirst) {
  EXPECT_EQ(in_order_of_size({2, 0, 2, 1, 2, 0}), (Labels{0, 1, 0, 2, 0, 1}));
  EXPECT_EQ(in_order_of_size({1, 0}), (Labels{0, 1}));
  EXPECT_EQ(in_order_of_size({5, 5}), (Labels{0, 0}));
}

TEST(Kmeans, SeparatesWhatIsFarApart) {
  MatrixXd points(9, 2);
  points << 0, 0, 0.1, 0, 0, 0.1, 9, 9, 9.1, 9, 9, 9.1, -9, 9, -9.1, 9, -9, 9.1;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    EXPECT_EQ(in_order_of_size(kmeans(points, 3, random).labels),
              (Labels{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  }
}

TEST(Kmeans, UsesEveryClusterEvenForEqualPoints) {
  Random random(1);
  const Labels labels = kmeans(MatrixXd::Zero(6, 2), 4, random).labels;
  EXPECT_EQ(count_clusters(in_order_of_size(labels)), 4);
}

TEST(SearchPartition, FindsTheBestOfAllPartitions) {
  tertium::Run run;
  int found = 0;
  int tried = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const MatrixXd similarity = random_symmetric(8, seed);
    const SparseMap rows(to_similarity(similarity));
    for (int k = 1; k <= 8; ++k) {
      const FoundPartition partition = search_partition(rows, k, {}, run);
      EXPECT_EQ(partition.clusters, k);
      EXPECT_EQ(count_clusters(partition.labels), k);
      EXPECT_NEAR(partition.value, value_by_definition(similarity, partition.labels), 1e-9);
      const double best = best_partition(similarity, k, 0);
      EXPECT_LE(partition.value, best + 1e-9);
      found += partition.value > best - 1e-9 ? 1 : 0;
      ++tried;
    }
  }
  // Pure noise is the hardest case for a local search; still most optima are found.
  EXPECT_GE(found, tried * 8 / 10) << found << " of " << tried;
}

TEST(SearchPartition, FindsPlantedGroups) {
  const SparseMap rows(to_similarity(planted_similarity(200, 5, 120000, 1)));
  tertium::Run run({.threads = 2});
  const FoundPartition partition = search_partition(rows, 5, {}, run);
  for (std::size_t i = 5; i < partition.labels.size(); ++i) {
    EXPECT_EQ(partition.labels[i], partition.labels[i % 5]) << i;
  }
}

TEST(SearchPartition, LocalSearchRepairsABadStart) {
  const MatrixXd similarity = planted_similarity(120, 3, 60000, 4);
  const SparseMap rows(to_similarity(similarity));
  // Two groups together, the third cut in two: only a merge with a split leads out.
  Labels start(120);
  for (std::size_t i = 0; i < 120; ++i) {
    start[i] = i % 3 != 2 ? 0 : (i % 2 == 0 ? 1 : 2);
  }
  tertium::Run run;
  ClusterSums sums(rows, start, 3, run);
  improve(sums, rows, {}, run);
  EXPECT_NEAR(sums.value(), search_partition(rows, 3, {}, run).value, 1e-9);
}

TEST(SearchPartition, ImprovesGivenLabelsAsWell) {
  const MatrixXd similarity = random_symmetric(40, 5);
  const SparseMap rows(to_similarity(similarity));
  tertium::Run run;
  const FoundPartition good = search_partition(rows, 4, {}, run);
  SearchStart start;  // no eigenvectors at all
  start.labels = {good.labels};
  SearchOptions options;
  options.restarts = 0;
  options.whole_clusters = false;
  EXPECT_EQ(search_partition(rows, 4, start, Random(1), options, run).labels, good.labels);
}

TEST(SearchPartition, SharesEigenvectorsAmongNumbersOfClusters) {
  const SparseMap rows(to_similarity(planted_similarity(200, 5, 120000, 1)));
  KrylovOptions krylov;
  krylov.tolerance = 1e-3;
  tertium::Run run;
  SearchStart start;
  start.eigenpairs = leading_eigenpairs(rows, 8, krylov, run);
  for (const int clusters : {2, 5}) {
    EXPECT_NEAR(search_partition(rows, clusters, start, Random(1), {}, run).value,
                search_partition(rows, clusters, {}, run).value, 1e-9);
  }
}

TEST(WithOneSplit, CutsTheClusterThatIsTwo) {
  const SparseMap rows(to_similarity(planted_similarity(120, 3, 60000, 4)));
  Labels labels(120);
  for (std::size_t i = 0; i < 120; ++i) labels[i] = i % 3 == 2 ? 1 : 0;
  tertium::Run run;
  SplitDirections splits;
  const Labels split = with_one_split(ClusterSums(rows, labels, 2, run), rows, splits, run);
  for (std::size_t i = 3; i < 120; ++i) EXPECT_EQ(split[i], split[i % 3]) << i;
  EXPECT_EQ(count_clusters(split), 3);
}

TEST(SplitDirections, AreThoseOfEachClusterWhateverWasAskedBefore) {
  const SparseMap rows(to_similarity(planted_similarity(120, 3, 60000, 4)));
  tertium::Run run;
  SplitDirections splits;
  Labels labels(120);
  for (std::size_t i = 0; i < 120; ++i) labels[i] = i % 3 == 2 ? 1 : 0;
  // Cluster 1 stays and gets another number, the other one is cut; then cluster 2 loses an item,
  // and there is a cluster of that item alone.
  const auto check = [&](int clusters) {
    const std::vector<SplitDirection>& found = splits.of(rows, labels, clusters, run);
    ASSERT_EQ(found.size(), static_cast<std::size_t>(clusters));
    for (int a = 0; a < clusters; ++a) {
      const SplitDirection expected = split_direction(rows, labels, a, run);
      const SplitDirection& here = found[static_cast<std::size_t>(a)];
      if (expected.members.size() < 2) {
        EXPECT_TRUE(here.members.empty());
        continue;
      }
      EXPECT_EQ(here.members, expected.members) << a;
      EXPECT_EQ(here.direction, expected.direction) << a;
      EXPECT_EQ(here.value, expected.value) << a;
    }
  };
  check(2);
  for (std::size_t i = 0; i < 120; ++i) labels[i] = static_cast<std::int32_t>(i % 3);
  check(3);
  labels[5] = 3;
  check(4);
  check(4);
}

/// From eigenpairs of its own.
FoundPartition search_priced(const SparseMap& rows, double lambda, Run& run) {
  const KrylovResult eigenpairs =
      eigenpairs_for_search(rows, eigenpairs_for_priced_search(rows), run);
  return search_priced_partition(rows, lambda, eigenpairs, {}, run);
}

TEST(SearchPartition, APriceDecidesTheNumberOfClusters) {
  const MatrixXd similarity = planted_similarity(120, 3, 60000, 4);
  const SparseMap rows(to_similarity(similarity));
  tertium::Run run;
  EXPECT_EQ(search_priced(rows, 100, run).clusters, 3);
  EXPECT_EQ(search_priced(rows, 1e6, run).clusters, 1);
  int found = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const MatrixXd noise = random_symmetric(8, seed);
    const FoundPartition partition = search_priced(SparseMap(to_similarity(noise)), 3, run);
    const double worth = partition.value - 3 * partition.clusters;
    const double best = best_partition(noise, 0, 3);
    EXPECT_LE(worth, best + 1e-9);
    found += worth > best - 1e-9 ? 1 : 0;
  }
  EXPECT_GE(found, 6);
}

TEST(SearchPartition, IsTheSameForTheSameSeedAndAnyThreads) {
  const SparseMap rows(to_similarity(planted_similarity(900, 4, 300000, 6)));
  tertium::Run alone({.threads = 1});
  tertium::Run together({.threads = 2});
  const FoundPartition one = search_partition(rows, 4, {}, alone);
  const FoundPartition two = search_partition(rows, 4, {}, together);
  EXPECT_EQ(one.labels, two.labels);
}

TEST(SearchPartition, CanBeStopped) {
  const SparseMap rows(to_similarity(random_symmetric(20, 1)));
  tertium::Run run({.progress = [](const std::string&, const ProgressUpdate&) { return false; }});
  EXPECT_THROW(search_partition(rows, 3, {}, run), Cancelled);
}

}  // namespace
}  // namespace tertium::internal
