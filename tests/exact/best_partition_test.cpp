#include "tertium/exact/best_partition.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tertium/exact/cut_splitting.hpp"
#include "tertium/exact/proved_pairs.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/iterated_search.hpp"
#include "tertium/similarity/load.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_data.hpp"
#include "tests/small_similarity.hpp"
#include "tests/some_partition.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

TEST(ProveBest, AgreesWithTryingAll) {
  tertium::Run run;
  for (unsigned seed = 1; seed <= (sanitized ? 3U : 20U); ++seed) {
    const int size = 7 + static_cast<int>(seed % 3);
    const MatrixXd similarity = random_symmetric(size, seed);
    const SparseMap map(to_similarity(similarity));
    for (const int clusters : {2, 3, 4}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", " << clusters << " clusters");
      const double truth = best_partition(similarity, clusters, 0);
      ExactOptions options;
      options.most_nodes = 400;
      const ExactResult found = prove_best(map, some_partition(map, clusters, run), options, run);
      EXPECT_GE(found.upper_bound, truth);
      EXPECT_TRUE(found.closed);
      EXPECT_NEAR(found.best.value, truth, 2e-6 * (1 + std::abs(truth)));
      EXPECT_NEAR(value_by_definition(similarity, found.best.labels), found.best.value, 1e-9);
    }
  }
}

TEST(ProveBest, NeverClaimsTooMuchWhenStoppedEarly) {
  tertium::Run run;
  for (unsigned seed = 1; seed <= (sanitized ? 3U : 10U); ++seed) {
    const MatrixXd similarity = random_symmetric(9, seed);
    const SparseMap map(to_similarity(similarity));
    const double truth = best_partition(similarity, 3, 0);
    ExactOptions options;
    options.most_work = 1;
    const ExactResult found = prove_best(map, some_partition(map, 3, run), options, run);
    EXPECT_EQ(found.nodes, 1);
    EXPECT_GE(found.upper_bound, truth);
    EXPECT_LE(found.best.value, truth + 1e-9);
  }
}

TEST(ProveBest, KeepsWhatIsProvedWhenTheCallerEndsIt) {
  const MatrixXd similarity = random_symmetric(9, 3);
  const SparseMap map(to_similarity(similarity));
  const double truth = best_partition(similarity, 4, 0);
  int stopped = 0;
  for (const int threads : {1, 3}) {
    for (const int calls : {0, 1, 30, 60, 120, 240}) {
      int left = calls;
      tertium::Run run({.threads = threads, .progress = [&](const auto&, const ProgressUpdate& at) {
                          return !at.may_end_early || left-- > 0;
                        }});
      ExactOptions options;
      options.most_nodes = 400;
      const ExactResult found = prove_best(map, some_partition(map, 4, run), options, run);
      EXPECT_GE(found.upper_bound, truth);
      EXPECT_TRUE(std::isfinite(found.upper_bound));
      EXPECT_EQ(found.upper_bound, bound_of(found.proof));
      EXPECT_NE(found.stopped, found.closed);
      EXPECT_GE(found.nodes, 1);
      stopped += found.stopped ? 1 : 0;
    }
  }
  EXPECT_GT(stopped, 4);
}

TEST(ProveBest, EndsInTheMiddleOfABranch) {
  tertium::Run run;
  const MatrixXd similarity = random_symmetric(9, 3);
  const SparseMap map(to_similarity(similarity));
  const double truth = best_partition(similarity, 4, 0);
  double lowest = std::numeric_limits<double>::infinity();
  for (const double seconds : {0.0, 1e-4, 60.0}) {
    ExactOptions options;
    options.most_nodes = 400;
    options.most_seconds = seconds;
    const ExactResult found = prove_best(map, some_partition(map, 4, run), options, run);
    EXPECT_GE(found.upper_bound, truth);
    // A few steps may leave a bound above that of the beginning, which is then not looked at.
    if (seconds == 60) {
      EXPECT_LE(found.upper_bound, lowest);
    }
    EXPECT_FALSE(found.stopped);
    EXPECT_EQ(found.closed, seconds == 60);
    if (seconds == 0) {
      EXPECT_EQ(found.work, 0);
    }
    lowest = std::min(lowest, found.upper_bound);
  }
}

TEST(ProvedPairs, AreApartInAllPartitionsThatGood) {
  tertium::Run run;
  int unique = 0;
  std::size_t pairs = 0;
  for (unsigned seed = 1; seed <= (sanitized ? 4U : 30U); ++seed) {
    const MatrixXd similarity = random_symmetric(7, seed, seed % 3 == 0 ? 1 : 9);
    const SparseMap map(to_similarity(similarity));
    for (const int clusters : {2, 3}) {
      ExactOptions options;
      options.most_nodes = 200;
      const ExactResult found = prove_best(map, some_partition(map, clusters, run), options, run);
      for (const double slack : {0.0, 0.01, 0.2}) {
        const std::vector<bool> apart = pairs_apart(found.proof, found.best, slack);
        const PairCount count = count_across(apart, found.best.labels);
        pairs += count.apart;
        const double least = found.best.value - slack * std::abs(found.best.value);
        int as_good = 0;
        for_each_partition(7, clusters, [&](const Labels& labels) {
          if (value_by_definition(similarity, labels) < least) return;
          ++as_good;
          std::size_t pair = 0;
          for (std::size_t i = 0; i < labels.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j, ++pair) {
              EXPECT_TRUE(!apart[pair] || labels[i] != labels[j]);
            }
          }
        });
        if (slack > 0 || !count.all()) continue;
        ++unique;
        EXPECT_LE(as_good, 1);  // 0: by rounding
      }
    }
  }
  EXPECT_GT(unique, 0);
  EXPECT_GT(pairs, 0U);
}

TEST(ProveBest, GivesTheSameAtAnyNumberOfThreads) {
  const SparseMap map(to_similarity(random_symmetric(16, 3)));
  ExactOptions options;
  options.most_nodes = 40;
  std::optional<ExactResult> first;
  for (const int threads : {1, 2, 5}) {
    tertium::Run run({.threads = threads});
    const ExactResult found = prove_best(map, some_partition(map, 4, run), options, run);
    if (!first) first = found;
    EXPECT_EQ(found.best.labels, first->best.labels);
    EXPECT_EQ(found.upper_bound, first->upper_bound);
    EXPECT_EQ(found.nodes, first->nodes);
  }
}

TEST(MergedItems, HaveTheValueOfTheItems) {
  const MatrixXd similarity = random_symmetric(10, 4);
  const SparseMap map(to_similarity(similarity));
  const Labels labels = {0, 1, 2, 0, 1, 2, 0, 0, 1, 2};
  const Demands demands{{{0, 3}, {7, 0}, {1, 8}}, {{0, 1}, {2, 4}}};
  ASSERT_TRUE(obeys(labels, demands));
  const MergedItems items = merged_items(map, demands);
  EXPECT_EQ(items.size(), 7);
  const MatrixXd w = point_of(items, labels);
  EXPECT_NEAR(items.scaled.cwiseProduct(w).sum(), value_by_definition(similarity, labels), 1e-9);
  EXPECT_NEAR((w * items.root - items.root).norm(), 0, 1e-12);
  EXPECT_NEAR(w.trace(), 3, 1e-12);
  EXPECT_EQ(items.must_part.sum(), 4);
  EXPECT_FALSE(obeys({0, 1, 2, 1, 1, 2, 0, 0, 1, 2}, demands));
  EXPECT_FALSE(obeys({0, 0, 2, 0, 1, 2, 0, 0, 0, 2}, demands));
  EXPECT_FALSE(merged_items(map, {{{0, 3}, {3, 5}}, {{5, 0}}}).possible);
}

TEST(CutSplitting, BoundsEveryPartitionThatObeys) {
  tertium::Run run;
  const MatrixXd similarity = random_symmetric(8, 6);
  const SparseMap map(to_similarity(similarity));
  const Demands demands{{{0, 1}}, {{2, 3}, {0, 4}}};
  const MergedItems items = merged_items(map, demands);
  CutSplitting splitting(items, 3, CutSplitting::at_partition(items, {0, 0, 0, 1, 1, 2, 2, 2}),
                         run);
  double best = -std::numeric_limits<double>::infinity();
  for (int code = 0; code < 6561; ++code) {
    Labels labels(8);
    int rest = code;
    for (auto& label : labels) {
      label = rest % 3;
      rest /= 3;
    }
    if (count_clusters(in_order_of_size(labels)) < 3 || !obeys(labels, demands)) continue;
    best = std::max(best, value_by_definition(similarity, labels));
  }
  for (int round = 0; round < 20; ++round) {
    splitting.iterate();
    EXPECT_GE(splitting.proof().bound, best);
    splitting.renew_cuts();
  }
}

class SharedDataProof : public SharedData {};

TEST_F(SharedDataProof, PeoplesAnswersAboutCarsAreProved) {
  tertium::Run run;
  const auto loaded = load_similarity({data("car/central.csv")}, {}, run);
  const SparseMap map(loaded.similarity);
  for (const int clusters : {2, 3, 4}) {
    if (sanitized && clusters > 2) continue;
    const FoundPartition start =
        iterated_search(map, some_partition(map, clusters, run), run.stream("test"), {}, run);
    const ExactResult found = prove_best(map, start, {}, run);
    EXPECT_TRUE(found.closed) << clusters << " clusters: " << found.best.value << ", at most "
                              << found.upper_bound;
    EXPECT_EQ(found.best.value, start.value);
    EXPECT_GT(found.cuts, 0U);
  }
}

}  // namespace
}  // namespace tertium::internal
