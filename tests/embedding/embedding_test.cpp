#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tertium/embedding/ckl.hpp"
#include "tertium/embedding/descent.hpp"
#include "tertium/embedding/embed.hpp"
#include "tertium/embedding/heldout_error.hpp"
#include "tertium/embedding/loss_table.hpp"
#include "tertium/embedding/ste.hpp"
#include "tertium/embedding/tste.hpp"
#include "tertium/error.hpp"
#include "tests/selection/answers.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// ---- losses

/// What a comparison costs, as the papers write it.
double by_definition(LossKind kind, double near, double far, int dimensions) {
  const double a = std::max(dimensions - 1, 1);
  const auto kernel = [&](double x) { return std::pow(1 + x / a, -(a + 1) / 2); };
  switch (kind) {
    case LossKind::tste:
      return -std::log(kernel(near) / (kernel(near) + kernel(far)));
    case LossKind::ste:
      return -std::log(std::exp(-near) / (std::exp(-near) + std::exp(-far)));
    case LossKind::ckl:
      return -std::log((0.05 + far) / (0.1 + near + far));
    case LossKind::gnmds:
      return std::max(0.0, 1 + near - far);
    case LossKind::soe:
      return std::pow(std::max(0.0, 1 + std::sqrt(near) - std::sqrt(far)), 2);
  }
  return 0;
}

TEST(Loss, IsThatOfItsPaperWithItsSlopes) {
  constexpr double step = 1e-6;
  for (const Loss& loss : losses()) {
    for (const int dimensions : {1, 2, 3, 4, 7}) {
      for (const double near : {0.2, 1.1, 3.0}) {
        for (const double far : {0.3, 0.9, 4.5}) {
          const Slopes slopes = loss.at(near, far, dimensions);
          const auto value = [&](double x, double y) {
            return by_definition(loss.kind, x, y, dimensions);
          };
          EXPECT_NEAR(slopes.value, value(near, far), 1e-12) << loss.name;
          EXPECT_NEAR(slopes.near, (value(near + step, far) - value(near - step, far)) / 2 / step,
                      1e-7)
              << loss.name;
          EXPECT_NEAR(slopes.far, (value(near, far + step) - value(near, far - step)) / 2 / step,
                      1e-7)
              << loss.name;
        }
      }
    }
  }
}

TEST(Loss, OfTSteHasTheDegreesOfFreedomOfItsDimensions) {
  for (const auto& [dimensions, freedom] :
       {std::pair(1, 1.0), std::pair(2, 1.0), std::pair(3, 2.0), std::pair(6, 5.0)}) {
    EXPECT_EQ(Tste::in_dimensions(dimensions).freedom(), freedom);
  }
}

void expect_same(const Slopes& a, const Slopes& b, double scale, double tolerance) {
  EXPECT_NEAR(a.value, b.value, tolerance);
  EXPECT_NEAR(a.near, b.near * scale, tolerance);
  EXPECT_NEAR(a.far, b.far * scale, tolerance);
}

TEST(Loss, OfTSteBecomesThatOfOthersInItsLimits) {
  for (const double near : {0.0, 0.7, 5.0}) {
    for (const double far : {0.0, 1.3, 4.0}) {
      expect_same(Tste(1.0).at(near, far), Ckl{1.0}.at(near, far), 1, 1e-12);
      // Many degrees of freedom: K(x) = exp(-x / 2).
      expect_same(Tste(1e9).at(near, far), Ste().at(near / 2, far / 2), 0.5, 1e-7);
    }
  }
}

TEST(Loss, StaysFiniteFarFromRight) {
  for (const Loss& loss : losses()) {
    for (const auto& [near, far] :
         {std::pair(1e6, 0.0), std::pair(0.0, 1e6), std::pair(0.0, 0.0)}) {
      const Slopes slopes = loss.at(near, far, 2);
      EXPECT_TRUE(std::isfinite(slopes.value + slopes.near + slopes.far)) << loss.name;
    }
  }
}

/// Answers of one kind with weights and factors.
struct Survey {
  std::vector<Answer> answers;
  std::vector<AnswerFactor> factor;
  ComparisonList list;

  Survey(QuestionKind kind, int items, int count, unsigned seed) {
    answers = in_order_of_first_item(random_answers(kind, items, count, seed), same_rows(items));
    std::mt19937 random(seed);
    for (Answer& answer : answers) {
      answer.weight = weight_one / 4 * static_cast<Weight>(1 + random() % 8);
      factor.push_back(static_cast<AnswerFactor>(static_cast<int>(random() % 4) - 1));
    }
    list = list_comparisons(answers, same_rows(items), static_cast<std::size_t>(items));
  }
};

TEST(Loss, HasTheGradientOfFiniteDifferences) {
  for (const auto kind :
       {QuestionKind::triplet, QuestionKind::quadruplet, QuestionKind::odd_one_out}) {
    for (const int count : {40, 6000}) {  // added up in one part, and in several
      const Survey survey(kind, 7, count, 3);
      const auto comparisons = fitted_comparisons(survey.list, survey.factor);
      tertium::Run run;
      for (const Loss& loss : losses()) {
        for (const int dimensions : {2, 3}) {
          std::mt19937 random(4);
          std::normal_distribution<double> normal;
          VectorXd points(7 * dimensions);
          for (double& coordinate : points) coordinate = normal(random);
          VectorXd gradient(points.size());
          VectorXd unused(points.size());
          const double value = loss.mean(comparisons, dimensions, points, gradient, run);
          EXPECT_GT(value, 0);
          for (Index c = 0; c < points.size(); ++c) {
            constexpr double step = 1e-6;
            VectorXd up = points;
            VectorXd down = points;
            up[c] += step;
            down[c] -= step;
            const double slope = (loss.mean(comparisons, dimensions, up, unused, run) -
                                  loss.mean(comparisons, dimensions, down, unused, run)) /
                                 (2 * step);
            EXPECT_NEAR(gradient[c], slope, 1e-6) << loss.name << " " << count;
          }
        }
      }
    }
  }
}

TEST(Loss, IsTheMeanOverTheAnswersThatCount) {
  const Survey survey(QuestionKind::triplet, 6, 50, 9);
  const auto comparisons = fitted_comparisons(survey.list, survey.factor);
  tertium::Run run;
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  VectorXd points(12);
  for (double& coordinate : points) coordinate = normal(random);
  const auto squared = [&](ItemId a, ItemId b) {
    return (points.segment(2 * a, 2) - points.segment(2 * b, 2)).squaredNorm();
  };
  for (const Loss& loss : losses()) {
    double sum = 0;
    double all = 0;
    for (std::size_t t = 0; t < survey.answers.size(); ++t) {
      const auto& [anchor, near, far, none] = survey.answers[t].items;
      const double weight =
          std::abs(survey.factor[t]) * static_cast<double>(survey.answers[t].weight);
      const bool turned = survey.factor[t] < 0;
      sum += weight * by_definition(loss.kind, squared(anchor, turned ? far : near),
                                    squared(anchor, turned ? near : far), 2);
      all += weight;
    }
    VectorXd gradient(12);
    EXPECT_NEAR(loss.mean(comparisons, 2, points, gradient, run), sum / all, 1e-12) << loss.name;
  }
}

// ---- the descent

TEST(Descent, FindsTheBottomOfABananaAndOfAKink) {
  tertium::Run run;
  const Objective banana = [](const VectorXd& x, VectorXd& gradient) {
    const double a = 1 - x[0];
    const double b = x[1] - x[0] * x[0];
    gradient << -2 * a - 400 * x[0] * b, 200 * b;
    return a * a + 100 * b * b;
  };
  const DescentResult found = descend(banana, VectorXd{{-1.2, 1}}, {}, run);
  EXPECT_TRUE(found.settled);
  EXPECT_NEAR(found.at[0], 1, 1e-4);
  EXPECT_NEAR(found.at[1], 1, 1e-4);
  const Objective kink = [](const VectorXd& x, VectorXd& gradient) {
    gradient << (x[0] > 3 ? 1 : -1), (x[1] > -2 ? 5 : -5);
    return 1 + std::abs(x[0] - 3) + 5 * std::abs(x[1] + 2);
  };
  EXPECT_NEAR(descend(kink, VectorXd{{40, 17}}, {}, run).value, 1, 1e-2);
}

TEST(Descent, DoesNotDependOnTheUnitOfItsFunction) {
  tertium::Run run;
  const auto valley = [](double unit) -> Objective {
    return [unit](const VectorXd& x, VectorXd& gradient) {
      const VectorXd scale{{1, 30, 900}};
      gradient = unit * (2 * scale.cwiseProduct(x)).eval();
      return unit * (1 + scale.dot(x.cwiseAbs2()));
    };
  };
  const VectorXd start{{5, -3, 2}};
  const DescentResult one = descend(valley(1), start, {}, run);
  const DescentResult many = descend(valley(0x1p40), start, {}, run);
  EXPECT_EQ(one.steps, many.steps);
  EXPECT_EQ(one.at, many.at);
}

TEST(Descent, EndsWhereThereIsNoSlope) {
  tertium::Run run;
  const Objective flat = [](const VectorXd&, VectorXd& gradient) {
    gradient.setZero();
    return 7.0;
  };
  const DescentResult found = descend(flat, VectorXd{{1, 2}}, {}, run);
  EXPECT_TRUE(found.settled);
  EXPECT_EQ(found.steps, 0);
  EXPECT_EQ(found.value, 7);
}

// ---- points

/// Triplets without mistakes about points.
std::vector<Answer> answers_about(const VectorBlock& points, int count, unsigned seed) {
  std::vector<Answer> answers =
      random_answers(QuestionKind::triplet, static_cast<int>(points.rows()), count, seed);
  for (Answer& answer : answers) {
    auto& [anchor, near, far, none] = answer.items;
    const auto distance = [&](ItemId other) {
      return (points.row(anchor) - points.row(other)).norm();
    };
    if (distance(near) > distance(far)) std::swap(near, far);
  }
  return answers;
}

VectorBlock random_points(int items, int dimensions, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  VectorBlock points(items, dimensions);
  for (double& x : points.reshaped()) x = coordinate(random);
  return points;
}

TEST(Embed, FindsPointsThatTheAnswersAreAbout) {
  const auto answers = answers_about(random_points(30, 2, 1), 6000, 2);
  const ComparisonList list = list_comparisons(answers, same_rows(30), 30);
  for (const Loss& loss : losses()) {
    tertium::Run run;
    const Embedding found = embed(list, {}, loss, {}, run);
    EXPECT_LT(found.error, 0.03) << loss.name;
    EXPECT_GE(found.starts_alike, 1);
    // Both are recomputed from the points.
    double wrong = 0;
    double sum = 0;
    for (const Answer& answer : answers) {
      const auto& [anchor, near, far, none] = answer.items;
      const double to_near = (found.points.row(anchor) - found.points.row(near)).squaredNorm();
      const double to_far = (found.points.row(anchor) - found.points.row(far)).squaredNorm();
      wrong += to_near >= to_far ? 1 : 0;
      sum += by_definition(loss.kind, to_near, to_far, 2);
    }
    EXPECT_NEAR(found.error, wrong / 6000, 1e-12) << loss.name;
    EXPECT_NEAR(found.loss, sum / 6000, 1e-9 * (1 + sum)) << loss.name;
    // Centred, and along the principal axes.
    EXPECT_LT(found.points.colwise().sum().norm(), 1e-9 * found.points.norm());
    const Eigen::MatrixXd spread = found.points.transpose() * found.points;
    EXPECT_NEAR(spread(0, 1), 0, 1e-9 * spread.norm());
    EXPECT_GE(spread(0, 0), spread(1, 1));
  }
}

TEST(Embed, DoesNotDependOnThreads) {
  const auto answers = planted_answers(QuestionKind::triplet, 40, 3, 9000, 5);
  const ComparisonList list = list_comparisons(answers, same_rows(40), 40);
  for (const LossKind kind : {LossKind::tste, LossKind::soe}) {
    tertium::Run alone({.threads = 1});
    tertium::Run together({.threads = 3});
    EXPECT_EQ(embed(list, {}, loss_of(kind), {}, alone).points,
              embed(list, {}, loss_of(kind), {}, together).points);
  }
}

/// Steps, weights and ends depend on the mean over answers, never on how many there are.
TEST(Embed, OfAnswersThatCountMoreIsTheSame) {
  std::vector<Answer> answers = planted_answers(QuestionKind::triplet, 20, 2, 1500, 5);
  const ComparisonList once = list_comparisons(answers, same_rows(20), 20);
  for (Answer& answer : answers) answer.weight *= 4;  // roots are exact, too
  const ComparisonList louder = list_comparisons(answers, same_rows(20), 20);
  for (const Loss& loss : losses()) {
    tertium::Run run;
    EXPECT_EQ(embed(once, {}, loss, {}, run).points, embed(louder, {}, loss, {}, run).points)
        << loss.name;
  }
}

TEST(Embed, GoesDownFromDifferentStarts) {
  const auto answers = random_answers(QuestionKind::triplet, 25, 800, 6);  // no clear answer
  const ComparisonList list = list_comparisons(answers, same_rows(25), 25);
  tertium::Run run;
  EmbedOptions one;
  one.starts = 1;
  EmbedOptions many;
  many.starts = 8;
  const Embedding few = embed(list, {}, loss_of(LossKind::tste), one, run);
  const Embedding best = embed(list, {}, loss_of(LossKind::tste), many, run);
  EXPECT_LT(best.loss, few.loss);
  EXPECT_LT(best.starts_alike, 8);
}

TEST(Embed, NeedsFewerDimensionsThanItems) {
  const auto answers = random_answers(QuestionKind::triplet, 5, 80, 6);
  const ComparisonList list = list_comparisons(answers, same_rows(5), 5);
  tertium::Run run;
  EmbedOptions options;
  for (const int dimensions : {0, 5, 6}) {
    options.dimensions = dimensions;
    EXPECT_THROW(embed(list, {}, loss_of(LossKind::ste), options, run), InputError);
  }
  options.dimensions = 4;
  EXPECT_EQ(embed(list, {}, loss_of(LossKind::ste), options, run).points.cols(), 4);
}

TEST(Embed, HoldsOutAnswersToSeeHowManyDimensionsThereAre) {
  tertium::Run run;
  for (const int dimensions : {1, 2}) {
    const auto answers = answers_about(random_points(25, dimensions, 8), 3000, 2);
    const ComparisonList list = list_comparisons(answers, same_rows(25), 25);
    std::vector<HeldoutError> errors;
    for (int d = 1; d <= 3; ++d) {
      EmbedOptions options;
      options.dimensions = d;
      errors.push_back(heldout_error(list, loss_of(LossKind::tste), options, 5, run));
      EXPECT_EQ(errors.back().dimensions, d);
    }
    EXPECT_LT(errors[static_cast<std::size_t>(dimensions - 1)].error, 0.06);
    EXPECT_EQ(choose_dimensions(errors), dimensions);
  }
  // Coin tosses cannot be predicted.
  const auto tosses = random_answers(QuestionKind::triplet, 25, 3000, 3);
  const ComparisonList list = list_comparisons(tosses, same_rows(25), 25);
  EXPECT_NEAR(heldout_error(list, loss_of(LossKind::tste), {}, 5, run).error, 0.5, 0.05);
}

}  // namespace
}  // namespace tertium::internal
