#include <algorithm>
#include <atomic>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/cluster/result_view.hpp"
#include "tertium/cluster/walk.hpp"
#include "tertium/core/random.hpp"
#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/methods/method_table.hpp"
#include "tertium/methods/paper.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/kmeans.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/report.hpp"
#include "tertium/selection/spur.hpp"
#include "tertium/similarity/accumulator.hpp"
#include "tertium/similarity/load.hpp"
#include "tests/selection/answers.hpp"

namespace tertium::internal {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// ---- a method of our own: k-means on the leading eigenvectors, without any bound

std::atomic<int> clusterings = 0;
std::atomic<int> refits = 0;

Labels by_eigenvectors(const KrylovResult& eigenpairs, int clusters, Random random) {
  const Eigen::Index columns = std::min<Eigen::Index>(clusters, eigenpairs.vectors.cols());
  const Eigen::MatrixXd points = eigenpairs.vectors.leftCols(columns);
  KmeansResult best = kmeans(points, clusters, random);
  for (int restart = 1; restart < 5; ++restart) {
    KmeansResult next = kmeans(points, clusters, random);
    if (next.squares < best.squares) best = std::move(next);
  }
  return in_order_of_size(best.labels);
}

Candidate cluster_spectrally(Problem& problem, int clusters) {
  ++clusterings;
  Candidate candidate;
  candidate.clusters = clusters;
  candidate.labels = by_eigenvectors(problem.eigenpairs(clusters), clusters,
                                     problem.run().stream("spectral clustering"));
  candidate.value = partition_value(problem.map(), candidate.labels, problem.run());
  return candidate;
}

Labels refit_spectrally(Problem& /*problem*/, int clusters, const RefitStart& start) {
  ++refits;
  return by_eigenvectors(start.eigenpairs(), clusters, start.random);
}

constexpr Method spectral = {
    .name = "spectral",
    .description = "k-means on the leading eigenvectors of S",
    .certificates = false,
    .slow = false,
    .cluster = cluster_spectrally,
    .refit = refit_spectrally,
};

/// Answers about items in groups (item i in group i mod `clusters`), as a file of them is loaded.
LoadedSimilarity planted_survey(int items, int clusters, int count, unsigned seed) {
  const std::vector<Answer> answers =
      planted_answers(QuestionKind::triplet, items, clusters, count, seed, 0.9);
  Accumulator sums;
  for (int i = 0; i < items; ++i) sums.items.add(std::to_string(i));
  for (const Answer& answer : answers) sums.add(answer);
  tertium::Run run;
  LoadedSimilarity loaded;
  loaded.similarity = sums.snapshot(static_cast<std::size_t>(items), run);
  loaded.answers = std::make_shared<const KeptAnswers>(
      KeptAnswers{list_comparisons(answers, same_rows(items), static_cast<std::size_t>(items)),
                  {},
                  {},
                  &default_rule(false)});
  return loaded;
}

class OwnMethod : public testing::Test {
 protected:
  OwnMethod() {
    clusterings = 0;
    refits = 0;
    options.resamples = 30;
  }

  Clustering cluster_at(int threads) {
    tertium::Run run({.threads = threads});
    return walk_with(spectral, loaded, options, run);
  }

  void expect_planted(const Clustering& found) const {
    EXPECT_EQ(found.clusters, 3);
    for (std::size_t i = 3; i < 60; ++i) EXPECT_EQ(found.labels[i], found.labels[i % 3]) << i;
    const Eigen::MatrixXd dense = to_dense(SparseMap(loaded.similarity));
    double value = 0;
    for (Eigen::Index i = 0; i < 60; ++i) {
      for (Eigen::Index j = i % 3; j < 60; j += 3) value += dense(i, j) / 20;
    }
    EXPECT_NEAR(found.objective, value, 1e-9);
  }

  LoadedSimilarity loaded = planted_survey(60, 3, 12000, 1);
  ClusterOptions options;
};

TEST_F(OwnMethod, WalksTheWholeWayWithHeldOutAnswersAndConfidence) {
  options.count = ChooseBy::heldout;
  const Clustering found = cluster_at(2);
  expect_planted(found);
  EXPECT_EQ(clusterings, 1);
  ASSERT_TRUE(found.heldout.has_value());
  ASSERT_TRUE(found.bootstrap.has_value());
  EXPECT_EQ(found.bootstrap->resamples, 30);
  EXPECT_EQ(found.bootstrap->stability, 1);
  // Each of five folds was clustered by it for every number of clusters, and each resample.
  EXPECT_EQ(refits, 5 * static_cast<int>(found.heldout->points.size()) + 30);
}

TEST_F(OwnMethod, NeedsNoBoundAndSaysSo) {
  options.count = Clusters{3};
  options.quick = true;
  const Clustering found = cluster_at(1);
  expect_planted(found);
  EXPECT_FALSE(found.upper_bound.has_value());
  EXPECT_FALSE(found.gap.has_value());
  EXPECT_FALSE(found.certificate.has_value());
  EXPECT_EQ(refits, 0);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_THAT(found.warnings[0], HasSubstr("no bound on what a better grouping could gain"));
  EXPECT_THAT(found.warnings[0], HasSubstr("the method spectral has none"));
  // It is a result like any other.
  const ResultView view = view_of(found, loaded, options, 1);
  const ResultView again = result_from_json(result_as_json(view), "result.json");
  EXPECT_FALSE(again.upper_bound.has_value());
  EXPECT_EQ(again.labels, view.labels);
  EXPECT_THAT(result_as_text(view, false), testing::Not(IsEmpty()));
}

TEST_F(OwnMethod, IsAskedForTheNumberThatSpurChooses) {
  options.count = ClusterRange{2, 4};
  const Clustering found = cluster_at(2);
  expect_planted(found);
  ASSERT_TRUE(found.spur.has_value());
  for (const SpurStep& step : found.spur->steps) EXPECT_FALSE(step.certified);
  EXPECT_EQ(clusterings, 1);
  EXPECT_EQ(refits, 5 * 3 + 30);
}

TEST_F(OwnMethod, GivesTheSameAtAnyNumberOfThreads) {
  loaded = planted_survey(40, 4, 1500, 3);
  options.count = ChooseBy::heldout;
  const Clustering one = cluster_at(1);
  const Clustering three = cluster_at(3);
  EXPECT_EQ(one.labels, three.labels);
  EXPECT_EQ(one.bootstrap->labels, three.bootstrap->labels);
  ASSERT_EQ(one.heldout->points.size(), three.heldout->points.size());
  for (std::size_t p = 0; p < one.heldout->points.size(); ++p) {
    EXPECT_EQ(one.heldout->points[p].by_fold, three.heldout->points[p].by_fold);
  }
}

// ---- the table

TEST(MethodTable, HasNamedMethodsThatCanBeFound) {
  std::set<std::string_view> names;
  for (const Method& method : methods()) {
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_FALSE(method.description.empty()) << method.name;
    EXPECT_NE(method.cluster, nullptr) << method.name;
    EXPECT_NE(method.refit, nullptr) << method.name;
    EXPECT_EQ(&find_method(method.name), &method);
    EXPECT_THAT(method_names(), HasSubstr(std::string(method.name)));
  }
  EXPECT_TRUE(names.contains(certified_search.name));
  EXPECT_TRUE(names.contains(paper.name));
  EXPECT_EQ(methods().front().name, ClusterOptions().method);
}

TEST(MethodTable, NamesAllMethodsWhenThereIsNone) {
  try {
    find_method("spectral");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("spectral"));
    for (const Method& method : methods()) {
      EXPECT_THAT(error.parts().expected, HasSubstr(std::string(method.name)));
    }
  }
  ClusterOptions options;
  options.method = "spectral";
  EXPECT_THROW(validate(options), InputError);
}

TEST(MethodTable, EveryMethodClustersAndRefits) {
  const LoadedSimilarity loaded = planted_survey(30, 3, 6000, 2);
  const ComparisonList& list = loaded.answers->list;
  const Labels truth = in_order_of_size(planted_labels(30, 3));
  for (const Method& method : methods()) {
    tertium::Run run;
    Problem problem(loaded.similarity, method, {}, run);
    problem.set_answers({&list, {}});
    EXPECT_EQ(in_order_of_size(problem.candidate(3).labels), truth) << method.name;
    // Of sums alone, as folds and resamples have them.
    Problem sums(list.pattern, method, {}, run);
    sums.set_answers({&list, {}});
    RefitStart start;
    start.eigenpairs = [&]() -> const KrylovResult& { return sums.eigenpairs(3); };
    EXPECT_EQ(in_order_of_size(method.refit(sums, 3, start)), truth) << method.name;
    EXPECT_EQ(count_clusters(method.refit(sums, 1, start)), 1) << method.name;
  }
}

}  // namespace
}  // namespace tertium::internal
