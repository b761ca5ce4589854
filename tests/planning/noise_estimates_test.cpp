#include "tertium/planning/noise_estimates.hpp"

#include <gtest/gtest.h>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/planning/recovery.hpp"
#include "tertium/planted/simulated_answers.hpp"

namespace tertium::internal {
namespace {

AnswerColumns stored(const SimulatedAnswers& simulated) {
  const Survey& survey = simulated.survey();
  const std::size_t width = items_in(survey.kind);
  std::vector<ItemId> items(survey.answers * width);
  simulated.fill(0, survey.answers, items.data());
  AnswerColumns answers;
  answers.add_plain({survey.kind, items});
  return answers;
}

// A 95 % interval misses the truth in about 5 of 100 runs. With 400 runs and a true coverage of
// 94 %, fewer than 350 hits have a chance below 1e-6; an interval that is much too wide hits
// always.
constexpr int runs = 400;
constexpr int fewest_hits = 350;
constexpr int most_hits = 399;

struct Hits {
  int count = 0;
  void add(const std::optional<Estimate>& estimate, double truth) {
    ASSERT_TRUE(estimate.has_value());
    count += estimate->interval.lo <= truth && truth <= estimate->interval.hi ? 1 : 0;
  }
};

TEST(EstimateEpsilon, CoversTheTruth) {
  for (const QuestionKind kind :
       {QuestionKind::triplet, QuestionKind::quadruplet, QuestionKind::odd_one_out}) {
    Hits hits;
    for (std::uint64_t seed = 0; seed < runs; ++seed) {
      const Survey survey{kind, 1500, Sampling::with_replacement, {0.6}, 0, seed};
      const std::uint64_t half = kind == QuestionKind::quadruplet ? 4 : 8;
      hits.add(estimate_epsilon(stored({PlantedModel{{half, half}}, survey})), 0.6);
    }
    EXPECT_GE(hits.count, fewest_hits);
    EXPECT_LE(hits.count, most_hits);
  }
}

TEST(EstimateEpsilon, NeedsRepeatedQuestions) {
  const Survey survey{QuestionKind::triplet, 200};
  EXPECT_FALSE(estimate_epsilon(stored({PlantedModel{{8, 8}}, survey})).has_value());
  EXPECT_FALSE(estimate_epsilon(AnswerColumns()).has_value());
}

TEST(EstimateEpsilon, OfPerfectAnswersIsOne) {
  const Survey survey{QuestionKind::triplet, 2000, Sampling::with_replacement, {1}};
  const auto estimate = estimate_epsilon(stored({PlantedModel{{5, 5}}, survey}));
  EXPECT_EQ(estimate->value, 1);
  EXPECT_EQ(estimate->interval.hi, 1);
  EXPECT_LT(estimate->interval.lo, 1);
}

TEST(EstimateEpsilonDelta, CoversTheTruthWithKnownClusters) {
  for (const QuestionKind kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    // Few answers for each pair, and many, which share similarities.
    for (const std::uint64_t count : {800U, 8000U}) {
      Hits hits;
      for (std::uint64_t seed = 0; seed < runs; ++seed) {
        const Survey survey{kind, count, {}, {0.7}, 0, seed};
        const SimulatedAnswers answers(PlantedModel{{12, 12, 12}, 0.5}, survey);
        hits.add(estimate_epsilon_delta(stored(answers), answers.labels()), 0.35);
      }
      EXPECT_GE(hits.count, fewest_hits) << count;
      EXPECT_LE(hits.count, most_hits) << count;
    }
  }
}

TEST(EstimateEpsilonDelta, CoversTheTruthWithFittedClusters) {
  tertium::Run run;
  Hits hits;
  constexpr int fits = 40;
  for (std::uint64_t seed = 0; seed < fits; ++seed) {
    const Survey survey{QuestionKind::triplet, 15000, {}, {0.8}, 0, seed};
    const SimulatedAnswers answers(PlantedModel{{25, 25}, 0.8}, survey);
    const SparseMap rows(similarity_of(answers, survey.answers, run));
    const Labels labels = search_partition(rows, 2, {}, run).labels;
    hits.add(estimate_epsilon_delta(stored(answers), labels), 0.64);
  }
  // With a coverage of 94 %, fewer than 29 hits in 40 have a chance below 1e-5.
  EXPECT_GE(hits.count, 29);
}

TEST(EstimateEpsilonDelta, LeavesOutItemsWithoutCluster) {
  const AnswerColumns inside({{QuestionKind::triplet, {0, 1, 2}}});
  EXPECT_EQ(estimate_epsilon_delta(inside, {0, 0, 1})->value, 1);
  EXPECT_FALSE(estimate_epsilon_delta(inside, {0, 0, -1}).has_value());
  EXPECT_FALSE(estimate_epsilon_delta(inside, {0, 1, 1}).has_value());
  const AnswerColumns odd({{QuestionKind::odd_one_out, {0, 1, 2}}});
  EXPECT_FALSE(estimate_epsilon_delta(odd, {0, 0, 1}).has_value());
}

}  // namespace
}  // namespace tertium::internal
