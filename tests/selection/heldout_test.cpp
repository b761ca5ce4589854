#include "tertium/selection/heldout.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/selection/block_table.hpp"
#include "tests/selection/answers.hpp"

namespace tertium::internal {
namespace {

/// The name of what a comparison compares, and of its opposite, spelled out.
using Cell = std::vector<int>;
std::pair<Cell, Cell> cells(const Answer& answer, const Labels& labels) {
  const auto label = [&](std::size_t at) { return labels[answer.items[at]]; };
  if (answer.kind == QuestionKind::quadruplet) {
    const auto first = std::minmax({label(0), label(1)});
    const auto second = std::minmax({label(2), label(3)});
    return {{first.first, first.second, second.first, second.second},
            {second.first, second.second, first.first, first.second}};
  }
  return {{label(0), label(1), label(2)}, {label(0), label(2), label(1)}};
}

TEST(BlockTable, CountsChoicesBetweenClusters) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    for (const bool weighted : {false, true}) {
      std::vector<Answer> answers =
          in_order_of_first_item(planted_answers(kind, 20, 3, 400, 7), same_rows(20));
      const Labels labels = planted_labels(20, 3);
      std::vector<std::uint32_t> held_out;
      std::map<Cell, double> count;
      for (std::uint32_t t = 0; t < answers.size(); ++t) {
        if (weighted) answers[t].weight = weight_one / 2 * (t % 5);
        if (t % 3 == 0) {
          held_out.push_back(t);
        } else {
          count[cells(answers[t], labels).first] += static_cast<double>(answers[t].weight) / 1e6;
        }
      }
      const ComparisonList list = list_comparisons(answers, same_rows(20), 20);
      const BlockTable table(list, held_out, labels);
      for (std::size_t t = 0; t < answers.size(); ++t) {
        const auto [cell, opposite] = cells(answers[t], labels);
        const double expected =
            cell == opposite ? 0.5 : (count[cell] + 1) / (count[cell] + count[opposite] + 2);
        const Comparison& comparison = list.of(t)[0];
        EXPECT_NEAR(std::exp(table.log_probability(comparison)), expected, 1e-12);
        EXPECT_NEAR(std::exp(table.log_opposite(comparison)), 1 - expected, 1e-12);
      }
    }
  }
}

TEST(BlockTable, ScoresEveryHeldOutAnswer) {
  for (const auto kind :
       {QuestionKind::triplet, QuestionKind::quadruplet, QuestionKind::odd_one_out}) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << weighted);
      std::vector<Answer> answers =
          in_order_of_first_item(planted_answers(kind, 20, 3, 400, 7), same_rows(20));
      std::vector<std::uint32_t> held_out;
      for (std::uint32_t t = 0; t < answers.size(); ++t) {
        if (weighted) answers[t].weight = weight_one / 2 * (t % 5);
        if (t % 3 == 0) held_out.push_back(t);
      }
      const ComparisonList list = list_comparisons(answers, same_rows(20), 20);
      const Labels labels = planted_labels(20, 3);
      const BlockTable table(list, held_out, labels);
      HeldoutScore expected;
      for (const std::uint32_t t : held_out) {
        double likely = 0;
        double opposite = 0;
        for (const Comparison& comparison : list.of(t)) {
          likely += table.log_probability(comparison);
          opposite += table.log_opposite(comparison);
        }
        const double value = likely / static_cast<double>(list.of(t).size());
        const auto weight = static_cast<double>(list.weight_of(t));
        expected.weight += weight;
        expected.sum += weight * value;
        expected.squares += weight * value * value;
        if (likely != opposite) ++expected.predictable;
        if (likely > opposite) ++expected.right;
      }
      const HeldoutScore score = table.score();
      EXPECT_EQ(score.weight, expected.weight);
      EXPECT_NEAR(score.sum, expected.sum, 1e-11 * std::abs(expected.sum));
      EXPECT_NEAR(score.squares, expected.squares, 1e-11 * expected.squares);
      EXPECT_EQ(score.predictable, expected.predictable);
      EXPECT_EQ(score.right, expected.right);
      EXPECT_GT(score.predictable, score.right);
    }
  }
}

/// The curve of the default method and rule.
HeldoutCurve curve_of(const ComparisonList& list, const HeldoutOptions& options, Run& run) {
  return heldout_curve(list, {default_rule(list.quadruplets()), certified_search, {}}, options,
                       run);
}

TEST(HeldoutCurve, FindsThePlantedNumber) {
  tertium::Run run;
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    for (const int clusters : {2, 3, 5}) {
      const auto answers = planted_answers(kind, 100, clusters, 30000, 8, 0.9);
      HeldoutOptions options;
      options.most = 7;
      const auto curve = curve_of(list_comparisons(answers, same_rows(100), 100), options, run);
      EXPECT_EQ(curve.clusters, clusters);
      EXPECT_EQ(curve.points.size(), 7U);
      EXPECT_NEAR(curve.points[0].log_likelihood, std::log(0.5), 1e-10);
      EXPECT_EQ(curve.points[0].predictable, 0U);
      const HeldoutPoint& point = curve.points[static_cast<std::size_t>(clusters) - 1];
      EXPECT_EQ(point.by_fold.size(), 5U);
      EXPECT_GT(point.right, point.predictable / 2);
      EXPECT_LE(point.predictable, answers.size());
    }
  }
}

TEST(HeldoutCurve, ChoosesOneClusterForCoinTosses) {
  // Fails if the mean is two standard errors above ln(1/2) for some k by chance: below 2.3 % for
  // each k even if nothing were lost by fitting noise; but the means lie many errors below.
  tertium::Run run;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto answers = random_answers(QuestionKind::triplet, 40, 3000, seed);
    EXPECT_EQ(curve_of(list_comparisons(answers, same_rows(40), 40), {}, run).clusters, 1);
  }
}

TEST(HeldoutCurve, KeepsRepeatsOfAQuestionTogether) {
  // Coin tosses, each given ten times: whoever sees some of the copies can predict the others.
  std::vector<Answer> answers;
  for (const Answer& answer : random_answers(QuestionKind::most_central, 20, 150, 3)) {
    answers.insert(answers.end(), 10, answer);
  }
  HeldoutOptions options;
  options.least = 5;
  options.most = 5;
  tertium::Run run;
  const auto curve = curve_of(list_comparisons(answers, same_rows(20), 20), options, run);
  ASSERT_EQ(curve.points.size(), 1U);
  EXPECT_LT(curve.points[0].log_likelihood, std::log(0.5));
}

TEST(HeldoutCurve, DoesNotDependOnThreads) {
  const auto answers = planted_answers(QuestionKind::triplet, 60, 3, 6000, 8);
  const ComparisonList list = list_comparisons(answers, same_rows(60), 60);
  tertium::Run alone({.threads = 1});
  const HeldoutCurve one = curve_of(list, {}, alone);
  tertium::Run together({.threads = 3});
  const HeldoutCurve three = curve_of(list, {}, together);
  ASSERT_EQ(one.points.size(), three.points.size());
  for (std::size_t p = 0; p < one.points.size(); ++p) {
    EXPECT_EQ(one.points[p].by_fold, three.points[p].by_fold);
  }
}

TEST(HeldoutCurve, CanBeStopped) {
  const auto answers = random_answers(QuestionKind::triplet, 20, 300, 1);
  tertium::Run run({.progress = [](const std::string&, const ProgressUpdate&) { return false; }});
  EXPECT_THROW(curve_of(list_comparisons(answers, same_rows(20), 20), {}, run), Cancelled);
}

TEST(ChooseClusters, PrefersFewerWhenMoreBringLittle) {
  const auto curve = [](const std::vector<double>& gains, double error) {
    std::vector<HeldoutPoint> points;
    for (const double gain : gains) {
      HeldoutPoint point;
      point.clusters = static_cast<int>(points.size()) + 1;
      point.log_likelihood = std::log(0.5) + gain;
      point.standard_error = error;
      point.by_fold.assign(5, point.log_likelihood);
      points.push_back(point);
    }
    return choose_clusters(points);
  };
  EXPECT_EQ(curve({0, 0.1, 0.2, 0.19}, 0.001), 3);
  EXPECT_EQ(curve({0, 0.1, 0.195, 0.2}, 0.001), 3);
  EXPECT_EQ(curve({0, 0.1, 0.18, 0.2}, 0.001), 4);
  EXPECT_EQ(curve({0, 0.0015, 0.001}, 0.001), 1);
  EXPECT_EQ(curve({0, -0.1, -0.2}, 0.001), 1);
}

}  // namespace
}  // namespace tertium::internal
