#include "tertium/selection/spur.hpp"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/methods/paper.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/similarity/load.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_data.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

SimilarityMatrix planted(int items, int clusters, int answers, unsigned seed) {
  SimilarityMatrix similarity = to_similarity(planted_similarity(items, clusters, answers, seed));
  similarity.comparisons = static_cast<std::uint64_t>(answers);
  similarity.weight = answers;
  return similarity;
}

SpurResult spur(const SimilarityMatrix& similarity, const SpurOptions& options = {},
                const Method& method = certified_search, const RunOptions& run_options = {}) {
  tertium::Run run(run_options);
  Problem problem(similarity, method, {}, run);
  return choose_by_spur(problem, options);
}

bool has_certified_choice(const SpurResult& result) {
  return result.chosen() != nullptr && result.chosen()->certified;
}

TEST(Spur, CertificatesChooseWhatSolvesChoose) {
  // From hopelessly few answers to more than enough; 50 instances.
  int certified = 0;
  int solved = 0;
  const unsigned seeds = sanitized ? 2 : 10;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    for (const int answers : {400, 1000, 2500, 6000, 15000}) {
      const int clusters = 2 + static_cast<int>(seed) % 3;
      const SimilarityMatrix similarity = planted(24, clusters, answers, seed);
      const SpurResult quick = spur(similarity);
      ++(has_certified_choice(quick) ? certified : solved);
      if (!has_certified_choice(quick)) continue;
      const SpurResult slow = spur(similarity, {}, paper);
      EXPECT_EQ(quick.clusters, slow.clusters) << "seed " << seed << ", answers " << answers;
      EXPECT_EQ(quick.clusters, clusters) << "seed " << seed << ", answers " << answers;
    }
  }
  EXPECT_GE(certified, sanitized ? 2 : 15);
  EXPECT_GE(solved, sanitized ? 2 : 15);
}

TEST(Spur, ChoosesTheSameWhenOnlyTheChoiceCounts) {
  int saved = 0;
  int all_solved = 0;
  const unsigned seeds = sanitized ? 2 : 5;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    for (const int answers : {700, 1500}) {
      const SimilarityMatrix similarity =
          planted(24, 2 + static_cast<int>(seed) % 3, answers, seed);
      const SpurResult full = spur(similarity);
      if (has_certified_choice(full)) continue;
      SpurOptions options;
      options.choice_only = true;
      const SpurResult quick = spur(similarity, options);
      EXPECT_EQ(quick.clusters, full.clusters) << "seed " << seed << ", answers " << answers;
      ASSERT_EQ(quick.steps.size(), full.steps.size());
      bool skipped = false;
      for (std::size_t i = 0; i < full.steps.size(); ++i) {
        EXPECT_EQ(quick.steps[i].clusters, full.steps[i].clusters);
        if (quick.steps[i].theta) {
          EXPECT_EQ(quick.steps[i].theta, full.steps[i].theta);
        } else {
          skipped = true;
          EXPECT_NE(quick.steps[i].clusters, quick.clusters);
        }
      }
      ++(skipped ? saved : all_solved);
    }
  }
  EXPECT_GE(saved, 1);
  EXPECT_GE(all_solved, 1);
}

TEST(Spur, SolvesTheRangeThatTheTracesGive) {
  const SimilarityMatrix similarity = planted(30, 3, 900, 4);
  const SpurResult result = spur(similarity);
  ASSERT_FALSE(has_certified_choice(result));
  EXPECT_NEAR(result.smallest->lambda, std::sqrt(900 * std::log(30.0) / 30), 1e-9);
  EXPECT_NEAR(result.largest->lambda, 30, 1e-9);
  // The trace falls with lambda.
  EXPECT_GE(*result.smallest->trace, *result.largest->trace - 1e-6);
  EXPECT_EQ(result.range.fewest, std::max(2L, std::lround(*result.largest->trace)));
  EXPECT_EQ(result.range.most, std::lround(*result.smallest->trace) + 2);
  ASSERT_EQ(static_cast<int>(result.steps.size()), result.range.most - result.range.fewest + 1);
  tertium::Run run;
  double best = 0;
  for (const SpurStep& step : result.steps) {
    ASSERT_TRUE(step.theta.has_value());
    // theta once more, from X of an independent solve that leaves nothing open.
    SdpOptions sdp;
    sdp.tolerance = 1e-7;
    sdp.search_partition = false;
    const SdpResult again = solve_sdp(similarity, Clusters{step.clusters}, sdp, run);
    EXPECT_NEAR(*step.theta, again.eigenvalues.head(step.clusters).sum() / step.clusters, 5e-3);
    EXPECT_LE(step.objective, *step.upper_bound * (1 + 1e-9));
    best = std::max(best, *step.theta);
  }
  const auto chosen = static_cast<std::size_t>(result.clusters - result.range.fewest);
  EXPECT_GE(*result.steps[chosen].theta, best - theta_tie);
}

TEST(Spur, SaysWhichThetaIsRough) {
  const SimilarityMatrix similarity = planted(320, 4, 60000, 2);
  SpurOptions options;
  options.range = ClusterRange{2, 4};
  const SpurResult result = spur(similarity, options);
  ASSERT_FALSE(has_certified_choice(result));
  EXPECT_EQ(result.clusters, 4);
  double best = 0;
  for (const SpurStep& step : result.steps) best = std::max(best, *step.theta);
  tertium::Run run;
  Problem problem(similarity, certified_search, {}, run);
  int rough = 0;
  for (const SpurStep& step : result.steps) {
    rough += step.rough;
    if (step.rough) {
      EXPECT_LT(*step.theta, best - 0.05) << step.clusters;
    }
    if (sanitized) continue;
    DenseOptions sdp;
    sdp.goal = SdpGoal::spectrum;
    sdp.tolerance = 3e-4;
    const double theta = solve(problem, Clusters{step.clusters}, sdp).theta;
    EXPECT_NEAR(*step.theta, theta, step.rough ? 0.1 : 5e-3) << step.clusters;
  }
  EXPECT_GT(rough, 0);
}

TEST(Spur, LooksOnlyAtTheGivenRange) {
  SpurOptions options;
  options.range = ClusterRange{3, 4};
  const SpurResult result = spur(planted(24, 2, 800, 1), options);
  EXPECT_GE(result.clusters, 3);
  EXPECT_LE(result.clusters, 4);
  EXPECT_FALSE(result.smallest.has_value());
}

TEST(Spur, DoesNotDependOnTheNumberOfThreads) {
  const SimilarityMatrix similarity = planted(40, 4, 1500, 3);
  const SpurResult one = spur(similarity, {}, certified_search, {.threads = 1});
  const SpurResult three = spur(similarity, {}, certified_search, {.threads = 3});
  ASSERT_EQ(one.steps.size(), three.steps.size());
  for (std::size_t i = 0; i < one.steps.size(); ++i) {
    EXPECT_EQ(one.steps[i].theta, three.steps[i].theta);
    EXPECT_EQ(one.steps[i].upper_bound, three.steps[i].upper_bound);
  }
}

TEST(Spur, OverLambdaFindsPlantedClusters) {
  const SimilarityMatrix similarity = planted(24, 3, 15000, 2);
  tertium::Run run;
  Problem problem(similarity, certified_search, {}, run);
  const SpurResult result = choose_by_lambda_grid(problem);
  EXPECT_EQ(result.clusters, 3);
  ASSERT_EQ(result.steps.size(), 20U);
  const double most = 15000.0 / 24;
  for (std::size_t t = 0; t < 20; ++t) {
    EXPECT_NEAR(*result.steps[t].lambda, std::pow(1 + most, static_cast<double>(t + 1) / 20) - 1,
                1e-6);
  }
}

TEST(Spur, StopsWhenToldTo) {
  std::atomic<int> calls{0};
  const RunOptions stopping = {
      .progress = [&](const std::string&, const ProgressUpdate&) { return ++calls < 3; }};
  EXPECT_THROW(spur(planted(40, 4, 1500, 3), {}, certified_search, stopping), Cancelled);
}

class SharedDataSpur : public SharedData {};

TEST_F(SharedDataSpur, FindsTwoClustersOfCars) {
  tertium::Run run;
  const auto loaded = load_similarity({data("car/central.csv")}, {}, run);
  const SpurResult result = spur(loaded.similarity);
  EXPECT_EQ(result.clusters, 2);
  EXPECT_EQ(result.range.fewest, 2);
  EXPECT_EQ(result.range.most, 6);
  EXPECT_NEAR(*result.smallest->trace, 4.05, 0.2);
  EXPECT_NEAR(*result.largest->trace, 1.664, 0.1);
}

}  // namespace
}  // namespace tertium::internal
