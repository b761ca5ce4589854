#include <numeric>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tertium/answers/answer.hpp"
#include "tertium/cluster/result_view.hpp"
#include "tertium/cluster/walk.hpp"
#include "tertium/error.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/report.hpp"
#include "tertium/selection/choice_doubts.hpp"
#include "tertium/similarity/accumulator.hpp"
#include "tertium/similarity/load.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

/// Noisy triplets about `items` items, item i in group i mod `clusters`; the first answers chain
/// all items together.
LoadedSimilarity survey(std::uint32_t items, std::uint32_t clusters, int answers, unsigned seed,
                        double right = 0.8) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::uint32_t> item(0, items - 1);
  std::bernoulli_distribution correct(right);
  std::bernoulli_distribution coin(0.5);
  StoredAnswers stored;
  for (std::uint32_t i = 0; i < items; ++i) stored.items.add(std::to_string(i));
  Accumulator sums;
  sums.items = stored.items;
  while (stored.answers().size() < static_cast<std::size_t>(answers)) {
    Answer answer;
    answer.items = {item(random), item(random), item(random), 0};
    if (compares_with_itself(answer.kind, answer.items)) continue;
    const bool near = answer.items[1] % clusters == answer.items[0] % clusters;
    const bool far = answer.items[2] % clusters == answer.items[0] % clusters;
    if (near == far ? coin(random) : near != correct(random)) {
      std::swap(answer.items[1], answer.items[2]);
    }
    stored.add(answer);
    sums.add(answer);
  }
  LoadedSimilarity loaded;
  tertium::Run run;
  loaded.similarity = sums.snapshot(items, run);
  std::vector<std::uint32_t> row_of(items);
  std::iota(row_of.begin(), row_of.end(), 0U);
  loaded.answers = std::make_shared<const KeptAnswers>(
      KeptAnswers{list_comparisons(stored.answers(), row_of, items), {}, {}, &default_rule(false)});
  return loaded;
}

Clustering clustering_of(const LoadedSimilarity& loaded, const ClusterOptions& options = {}) {
  tertium::Run run;
  return walk(loaded, options, run);
}

/// The result as JSON without what it took.
std::string text_of(const LoadedSimilarity& loaded, const ClusterOptions& options,
                    int threads = 0) {
  tertium::Run run({.threads = threads});
  const Clustering clustering = walk(loaded, options, run);
  const ResultView view = view_of(clustering, loaded, options, run.seed());
  auto json = nlohmann::json::parse(result_as_json(view));
  json.erase("seconds");
  return json.dump();
}

TEST(Cluster, FindsPlantedClustersAndProvesThem) {
  const LoadedSimilarity loaded = survey(45, 3, 20000, 1);
  const Clustering found = clustering_of(loaded);
  EXPECT_EQ(found.clusters, 3);
  ASSERT_TRUE(found.certificate.has_value());
  EXPECT_EQ(found.certificate->verdict, Verdict::optimal);
  EXPECT_EQ(found.gap, 0);
  for (std::size_t i = 0; i < 45; ++i) EXPECT_EQ(found.labels[i], found.labels[i % 3]);
  EXPECT_LE(found.null_test->p_value, 0.05);
  EXPECT_EQ(found.heldout->clusters, 3);
  for (const double confidence : found.bootstrap->confidence) EXPECT_GT(confidence, 0.9);
  // The chosen option lies inside with probability 0.8: signal 0.6.
  EXPECT_NEAR(found.need->signal, 0.6, 0.05);
  EXPECT_TRUE(found.warnings.empty());
}

TEST(Cluster, SaysWhenThereIsNoStructure) {
  const LoadedSimilarity loaded = survey(30, 3, 3000, 2, 0.5);
  const Clustering found = clustering_of(loaded);
  EXPECT_EQ(found.clusters, 1);
  EXPECT_GT(found.null_test->p_value, 0.05);
  EXPECT_FALSE(found.spur.has_value());
  EXPECT_EQ(found.warnings.size(), 1U);
}

TEST(Cluster, WarnsOfDoubtsAboutTheNumberOfClusters) {
  const LoadedSimilarity loaded = survey(24, 4, 1400, 1, 0.75);
  ClusterOptions options;
  options.resamples = 1;
  int doubted = 0;
  for (const ClusterCount& count :
       {ClusterCount(ChooseBy::automatic), ClusterCount(ClusterRange{2, 9})}) {
    options.count = count;
    const Clustering found = clustering_of(loaded, options);
    ASSERT_TRUE(found.spur.has_value());
    const auto doubts = doubts_about_choice(*found.spur, &*found.heldout);
    EXPECT_EQ(found.warnings, doubts);
    doubted += doubts.empty() ? 0 : 1;
  }
  EXPECT_GT(doubted, 0);
}

TEST(Cluster, IsNeverWorseThanThePaper) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const LoadedSimilarity loaded = survey(40, 4, 1500, seed, 0.75);
    ClusterOptions options;
    options.count = Clusters{4};
    options.quick = true;
    const Clustering best = clustering_of(loaded, options);
    options.method = "paper";
    const Clustering paper = clustering_of(loaded, options);
    EXPECT_GE(best.objective, paper.objective - 1e-9) << seed;
    EXPECT_GE(*paper.upper_bound, best.objective - 1e-9) << seed;
    EXPECT_FALSE(paper.certificate.has_value());
    // The value once more, by the definition.
    const SparseMap rows(loaded.similarity);
    tertium::Run run;
    EXPECT_NEAR(best.objective, partition_value(rows, best.labels, run), 1e-9);
  }
}

TEST(Cluster, PrefersTheConsensusOfGoodPartitionsToAnUnprovedBest) {
  int often = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    LoadedSimilarity loaded = survey(60, 3, 900, seed, 0.75);
    ClusterOptions options;
    options.count = Clusters{3};
    options.quick = true;
    options.proof.until = ProofEffort::Until::never;  // or the best one may be proved
    const Clustering found = clustering_of(loaded, options);
    // The same sums without the answers behind them: nothing is known about their noise.
    loaded.similarity.rule = precomputed;
    const Clustering best = clustering_of(loaded, options);
    EXPECT_FALSE(best.consensus.has_value());
    if (!found.consensus) {
      EXPECT_GE(found.objective, best.objective);
      continue;
    }
    ++often;
    EXPECT_GT(found.consensus->moved, 0U);
    EXPECT_GE(found.consensus->best_objective, best.objective);
    EXPECT_LE(found.objective, found.consensus->best_objective);
    EXPECT_NE(found.certificate->verdict, Verdict::optimal);
    EXPECT_GE(*found.upper_bound, found.consensus->best_objective);
  }
  EXPECT_GT(often, 2);
}

TEST(Cluster, ChoosesByHeldOutAnswersWhereSpurWouldTakeTooLong) {
  ClusterOptions options;
  options.proof.until = ProofEffort::Until::never;
  options.most_items_for_spur = 50;
  options.resamples = 2;
  const LoadedSimilarity unclear = survey(60, 4, 4000, 3, 0.75);
  const Clustering found = clustering_of(unclear, options);
  EXPECT_TRUE(found.heldout_instead);
  EXPECT_FALSE(found.spur.has_value());
  EXPECT_EQ(found.clusters, found.heldout->clusters);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings.front().find("--clusters spur"), std::string::npos);
  EXPECT_NE(text_of(unclear, options).find("\"chosen_by\":\"heldout\""), std::string::npos);
  // Asked for by name, SPUR runs at any size; without answers to hold out there is nothing instead.
  options.count = ChooseBy::spur;
  EXPECT_TRUE(clustering_of(unclear, options).spur.has_value());
  options.count = ChooseBy::automatic;
  options.quick = true;
  EXPECT_THROW(clustering_of(unclear, options), InputError);
  // A certificate settles it at any size.
  const Clustering clear = clustering_of(survey(60, 3, 20000, 1, 1), options);
  EXPECT_FALSE(clear.heldout_instead);
  EXPECT_EQ(clear.clusters, 3);
  EXPECT_EQ(clear.certificate->verdict, Verdict::optimal);
}

TEST(Cluster, GivesTheSameBytesAtAnyNumberOfThreads) {
  const LoadedSimilarity loaded = survey(60, 4, 4000, 3, 0.75);
  for (const ClusterCount& count : std::vector<ClusterCount>{ChooseBy::spur, ChooseBy::heldout,
                                                             ClusterRange{2, 5}, Clusters{3}}) {
    ClusterOptions options;
    options.count = count;
    options.resamples = 30;
    // Proofs have such a test of their own, and are slow with sanitizers.
    if (sanitized) options.proof.until = ProofEffort::Until::never;
    EXPECT_EQ(text_of(loaded, options, 1), text_of(loaded, options, 3));
  }
}

TEST(Cluster, PredictsWithTheChosenNumberAlsoBeyondTheCurve) {
  if (sanitized) GTEST_SKIP() << "slow with sanitizers, and nothing new for them";
  const LoadedSimilarity loaded = survey(66, 22, 60000, 7, 1);
  ClusterOptions options;
  options.resamples = 2;
  const Clustering found = clustering_of(loaded, options);
  ASSERT_EQ(found.clusters, 22);
  ASSERT_NE(found.heldout_point(), nullptr);
  EXPECT_EQ(found.heldout_point()->clusters, 22);
  EXPECT_EQ(found.heldout->points.size(), 21U);  // 1 to 20, and 22
}

TEST(Cluster, LeavesOutWhatNothingLinks) {
  LoadedSimilarity loaded = survey(30, 3, 9000, 4);
  // Two items more that only know each other, and one that nobody knows.
  SimilarityMatrix& s = loaded.similarity;
  for (const char* name : {"x", "y", "z"}) {
    s.items.emplace_back(name);
    s.row_start.push_back(s.row_start.back());
    s.mentions.push_back(0);
    s.anchors.push_back(0);
  }
  s.column.push_back(30);
  s.value.push_back(3);
  s.row_start[32] += 1;
  s.row_start[33] += 1;
  const Clustering found = clustering_of(loaded);
  EXPECT_EQ(found.clusters, 3);
  ASSERT_EQ(found.left_out.size(), 3U);
  EXPECT_EQ(found.left_out[0].linked_with, 1U);
  EXPECT_EQ(found.left_out[2].linked_with, 0U);
  EXPECT_EQ(found.labels[30], -1);
  EXPECT_EQ(found.labels[32], -1);
  EXPECT_EQ(found.clustered.size(), 30U);
  for (const auto& members : found.members) EXPECT_EQ(members.size(), 10U);
}

TEST(Cluster, RefusesWhatDoesNotFit) {
  const LoadedSimilarity loaded = survey(12, 2, 500, 5);
  const auto refuses = [&](const LoadedSimilarity& what, const ClusterCount& count) {
    ClusterOptions options;
    options.count = count;
    EXPECT_THROW(clustering_of(what, options), InputError);
  };
  refuses(loaded, Clusters{0});
  refuses(loaded, Clusters{13});
  refuses(loaded, ClusterRange{1, 3});
  refuses(loaded, ClusterRange{4, 3});
  refuses(loaded, ClusterRange{2, 13});
  LoadedSimilarity sums = loaded;
  sums.answers.reset();
  refuses(sums, ChooseBy::heldout);
  sums.similarity.comparisons = 0;
  refuses(sums, ChooseBy::spur);
  LoadedSimilarity nothing = loaded;
  nothing.similarity = to_similarity(Eigen::MatrixXd::Zero(4, 4));
  refuses(nothing, Clusters{2});
}

TEST(Cluster, StopsWhenToldTo) {
  const LoadedSimilarity loaded = survey(40, 4, 2000, 6);
  for (const int calls_allowed : {0, 5, 50}) {
    int calls = 0;
    tertium::Run run({.progress = [&](const std::string&, const ProgressUpdate&) {
      return ++calls <= calls_allowed;
    }});
    EXPECT_THROW(walk(loaded, {}, run), Cancelled) << calls_allowed;
  }
}

}  // namespace
}  // namespace tertium::internal
