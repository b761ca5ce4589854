#include "tertium/exact/proved_cores.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tertium/exact/best_partition.hpp"
#include "tertium/exact/merged_items.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_similarity.hpp"
#include "tests/some_partition.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

/// Random numbers, and two groups that are clear.
MatrixXd two_groups(int size, unsigned seed) {
  MatrixXd similarity = random_symmetric(size, seed);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i; ++j) {
      if ((i < size / 2) == (j < size / 2)) similarity(i, j) = similarity(j, i) += 8;
    }
  }
  return similarity;
}

/// Whether all items that have the slack are with those of their cluster in this partition.
bool keeps_cores(const Labels& labels, const Labels& best, const std::vector<double>& cores,
                 double slack) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool in_core = cores[i] >= slack && cores[j] >= slack && best[i] == best[j];
      if (in_core && labels[i] != labels[j]) return false;
    }
  }
  return true;
}

TEST(ProvedCores, StayTogetherInAllPartitionsThatGood) {
  tertium::Run run;
  std::size_t proved = 0;
  std::size_t moved = 0;
  for (unsigned seed = 1; seed <= (sanitized ? 3U : 12U); ++seed) {
    const MatrixXd similarity = seed % 2 == 0 ? two_groups(8, seed) : random_symmetric(8, seed);
    const SparseMap map(to_similarity(similarity));
    for (const int clusters : {2, 3}) {
      ExactOptions exact;
      exact.most_nodes = 200;
      const FoundPartition best =
          prove_best(map, some_partition(map, clusters, run), exact, run).best;
      const CutSplitting::Start from =
          CutSplitting::at_partition(merged_items(map, {}), best.labels);
      CoreOptions options;
      options.slacks = {0.01, 0.1, 0.3};
      const std::vector<double> cores = proved_cores(map, best, from, options, run);
      ASSERT_EQ(cores.size(), 8U);
      for (const double slack : options.slacks) {
        for (std::size_t i = 0; i < cores.size(); ++i) {
          if (cores[i] < slack) continue;
          ++proved;
          std::size_t others = 0;
          for (std::size_t j = 0; j < cores.size(); ++j) {
            others += j != i && cores[j] >= slack && best.labels[j] == best.labels[i] ? 1U : 0U;
          }
          EXPECT_GT(others, 0U) << "a core of one item";
        }
        const double least = best.value - slack * std::abs(best.value);
        for_each_partition(8, clusters, [&](const Labels& labels) {
          if (value_by_definition(similarity, labels) < least) return;
          moved += labels == best.labels ? 0U : 1U;
          EXPECT_TRUE(keeps_cores(labels, best.labels, cores, slack)) << "seed " << seed;
        });
      }
    }
  }
  EXPECT_GT(proved, 0U);
  EXPECT_GT(moved, 0U);
}

TEST(ProvedCores, AreTheSameAtAnyNumberOfThreadsAndNoneWithoutWork) {
  const SparseMap map(to_similarity(two_groups(14, 3)));
  const Labels labels = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
  std::optional<std::vector<double>> first;
  for (const int threads : {1, 3}) {
    tertium::Run run({.threads = threads});
    const FoundPartition best{labels, 2,
                              ClusterSums(map, labels, 2, run).value() / map.denominator()};
    const CutSplitting::Start from = CutSplitting::at_partition(merged_items(map, {}), labels);
    CoreOptions options;
    options.most_work = 1;  // one batch of items, then no more
    const std::vector<double> cores = proved_cores(map, best, from, options, run);
    if (!first) first = cores;
    EXPECT_EQ(cores, *first);
    EXPECT_LT(std::count(cores.begin(), cores.end(), 0.0), 14);
    options.most_work = 0;
    EXPECT_EQ(proved_cores(map, best, from, options, run), std::vector<double>(14, 0));
  }
}

}  // namespace
}  // namespace tertium::internal
