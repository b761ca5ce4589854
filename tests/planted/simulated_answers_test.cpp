#include "tertium/planted/simulated_answers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/answers/answer.hpp"
#include "tertium/error.hpp"
#include "tertium/planted/write_answers.hpp"
#include "tertium/simulate.hpp"
#include "tests/false_alarm.hpp"
#include "tests/planted/question_kinds.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using testing::HasSubstr;

std::vector<ItemId> all_items(const SimulatedAnswers& answers) {
  std::vector<ItemId> items(answers.survey().answers * items_in(answers.survey().kind));
  answers.fill(0, answers.survey().answers, items.data());
  return items;
}

// Checks of chances have the false-alarm rate of tests/false_alarm.hpp. Comparisons share few
// similarities, as there are many more pairs than answers; 10 % more deviation allows for those.
constexpr double shared_pairs = 1.1;

TEST(SimulatedAnswers, FollowTheChancesOfTheModel) {
  for (const LatentFamily family :
       {LatentFamily::normal, LatentFamily::beta, LatentFamily::uniform_normal}) {
    for (const double delta : {0.2, 0.5, 0.9}) {
      const Survey survey{QuestionKind::quadruplet, 60000, Sampling::without_replacement, {1}};
      const SimulatedAnswers answers(PlantedModel{{500, 1500}, delta, family}, survey);
      const auto items = all_items(answers);
      const auto inside = [&](std::size_t at) {
        return answers.labels()[items[at]] == answers.labels()[items[at + 1]];
      };
      double unlike = 0;
      double inside_wins = 0;
      for (std::size_t at = 0; at < items.size(); at += 4) {
        if (inside(at) == inside(at + 2)) continue;
        ++unlike;
        inside_wins += inside(at) ? 1 : 0;
      }
      EXPECT_GT(unlike, 20000);
      EXPECT_LT(deviation(inside_wins / unlike, (1 + delta) / 2, unlike),
                shared_pairs * largest_z());
    }
  }
}

TEST(SimulatedAnswers, AnswersAreWrongAsOftenAsEpsilonSays) {
  const PlantedModel model{{30, 30}};
  for (const QuestionKind kind : question_kinds) {
    Survey survey{kind, 50000, Sampling::with_replacement, {1}};
    const auto right = all_items({model, survey});
    survey.epsilon = {0.4};
    const auto given = all_items({model, survey});
    const std::size_t width = items_in(kind);
    double wrong = 0;
    for (std::size_t at = 0; at < right.size(); at += width) {
      wrong += std::equal(&right[at], &right[at] + width, &given[at]) ? 0 : 1;
    }
    const double options = width == 4 || kind == QuestionKind::triplet ? 2 : 3;
    EXPECT_LT(deviation(wrong / 50000, 0.6 * (options - 1) / options, 50000), largest_z());
  }
}

TEST(SimulatedAnswers, ParticipantsHaveTheirOwnNoise) {
  Survey survey{QuestionKind::triplet, 60000, Sampling::with_replacement, {1}, 3};
  const auto right = all_items({PlantedModel{{30, 30}}, survey});
  survey.epsilon = {1, 0.5, 0.1};
  const SimulatedAnswers answers(PlantedModel{{30, 30}}, survey);
  const auto given = all_items(answers);
  std::vector<double> wrong(3, 0);
  for (std::size_t answer = 0; answer < 60000; ++answer) {
    wrong[answers.participant(answer)] += right[3 * answer + 1] != given[3 * answer + 1] ? 1 : 0;
  }
  EXPECT_EQ(wrong[0], 0);
  EXPECT_LT(deviation(wrong[1] / 20000, 0.25, 20000), largest_z());
  EXPECT_LT(deviation(wrong[2] / 20000, 0.45, 20000), largest_z());
  const auto spread = spread_epsilon(0.6, 0.3, 4, 1);
  EXPECT_THAT(spread, testing::UnorderedElementsAre(
                          testing::DoubleNear(0.3, 1e-12), testing::DoubleNear(0.5, 1e-12),
                          testing::DoubleNear(0.7, 1e-12), testing::DoubleNear(0.9, 1e-12)));
}

/// The three pairs of a question with three items, ordered by the answers to triplet questions.
TEST(SimulatedAnswers, AllKindsSeeTheSameSimilarities) {
  const PlantedModel model{{5, 5, 5}, 0.6};
  const auto triplet_count = static_cast<std::uint64_t>(count_questions(QuestionKind::triplet, 15));
  const auto items = all_items({model, Survey{QuestionKind::triplet, triplet_count, {}, {1}}});
  std::set<std::array<ItemId, 3>> triplets;
  for (std::size_t at = 0; at < items.size(); at += 3) {
    triplets.insert({items[at], items[at + 1], items[at + 2]});
  }
  const auto three = static_cast<std::uint64_t>(count_questions(QuestionKind::odd_one_out, 15));
  for (const QuestionKind kind : {QuestionKind::odd_one_out, QuestionKind::most_central}) {
    const auto answers = all_items({model, Survey{kind, three, {}, {1}}});
    for (std::size_t at = 0; at < answers.size(); at += 3) {
      const TripletList given = triplets_of(kind, {&answers[at], 3});
      for (std::size_t i = 0; i < given.size; ++i) {
        EXPECT_TRUE(triplets.contains(given.triplets[i]));
      }
    }
  }
  const auto quadruplets =
      static_cast<std::uint64_t>(count_questions(QuestionKind::quadruplet, 15));
  const auto pairs = all_items({model, Survey{QuestionKind::quadruplet, quadruplets, {}, {1}}});
  for (std::size_t at = 0; at < pairs.size(); at += 4) {
    for (const std::size_t i : {0U, 1U}) {
      for (const std::size_t r : {2U, 3U}) {
        if (pairs[at + i] != pairs[at + r]) continue;
        EXPECT_TRUE(triplets.contains({pairs[at + i], pairs[at + 1 - i], pairs[at + 5 - r]}));
      }
    }
  }
}

TEST(SimulatedAnswers, PointsAreComparedBySimilarity) {
  const TemporaryFolder folder;
  const std::string path = folder.file("points.csv", "x,y\n0,1\n0,2\n3,0\n-1,-1\n5,5\n2,0.5\n");
  for (const PointSimilarity similarity : {PointSimilarity::gaussian, PointSimilarity::cosine}) {
    const double points[6][2] = {{0, 1}, {0, 2}, {3, 0}, {-1, -1}, {5, 5}, {2, 0.5}};
    const auto alike = [&](ItemId i, ItemId j) {
      const auto& [x, y] = points[i];
      const auto& [v, w] = points[j];
      if (similarity == PointSimilarity::gaussian) return std::exp(-std::hypot(x - v, y - w));
      return (x * v + y * w) / (std::hypot(x, y) * std::hypot(v, w));
    };
    const SimulatedAnswers answers(read_points(path, similarity),
                                   Survey{QuestionKind::triplet, 60, {}, {1}});
    const auto items = all_items(answers);
    for (std::size_t at = 0; at < items.size(); at += 3) {
      EXPECT_GE(alike(items[at], items[at + 1]) + 1e-12, alike(items[at], items[at + 2]));
    }
  }
  EXPECT_THROW(read_points(folder.file("a.csv", "1,2\n3\n"), {}), InputError);
  EXPECT_THROW(read_points(folder.file("b.csv", "1,2\n3,x\n"), {}), InputError);
  EXPECT_THROW(read_points(folder.file("c.csv", "1,2\n0,0\n"), PointSimilarity::cosine),
               InputError);
  EXPECT_THROW(read_points(folder.file("d.csv", "x,y\n"), {}), InputError);
}

TEST(SimulatedAnswers, AreTheSameAtAnyThreadCountAndNested) {
  const TemporaryFolder folder;
  const auto written = [&](const SimulatedAnswers& answers, int threads) {
    const std::string path = folder.path("answers.csv");
    OutputFile file(path);
    tertium::Run run({.threads = threads});
    write_answers(answers, file, run);
    file.commit();
    return file_bytes(path);
  };
  for (const QuestionKind kind : question_kinds) {
    const PlantedModel model{{100, 70, 30}};
    const SimulatedAnswers answers(model, Survey{kind, 100'000, {}, {0.5, 0.9}, 2, 7});
    const std::string one = written(answers, 1);
    EXPECT_EQ(one, written(answers, 2));
    EXPECT_EQ(one, written(answers, 7));
    const std::string fewer = written({model, Survey{kind, 40'001, {}, {0.5, 0.9}, 2, 7}}, 3);
    EXPECT_EQ(fewer, one.substr(0, fewer.size()));
    EXPECT_NE(one, written({model, Survey{kind, 100'000, {}, {0.5, 0.9}, 2, 8}}, 1));
    // The rows are the answers, in words of decimal digits.
    const auto items = all_items(answers);
    const std::size_t width = items_in(kind);
    std::istringstream lines(one);
    std::string line;
    std::getline(lines, line);
    EXPECT_TRUE(line.ends_with(",participant"));
    for (std::size_t answer = 0; std::getline(lines, line); ++answer) {
      std::string expected;
      for (std::size_t i = 0; i < width; ++i) {
        expected += std::to_string(items[answer * width + i]) + ",";
      }
      ASSERT_EQ(line, expected + "p" + std::to_string(answer % 2 + 1));
    }
  }
  OutputFile file(folder.path("stopped.csv"));
  const SimulatedAnswers answers(PlantedModel{{10, 10}}, Survey{QuestionKind::triplet, 1000});
  tertium::Run run(
      {.threads = 2, .progress = [](const std::string&, const ProgressUpdate&) { return false; }});
  EXPECT_THROW(write_answers(answers, file, run), Cancelled);
}

TEST(SimulatedAnswers, LabelsAreShuffledClustersOfTheGivenSizes) {
  const SimulatedAnswers answers(PlantedModel{{600, 300, 100}}, Survey{{}, 10});
  for (const auto& [label, size] : {std::pair{0, 600}, {1, 300}, {2, 100}}) {
    EXPECT_EQ(std::count(answers.labels().begin(), answers.labels().end(), label), size);
  }
  // Equal neighbours: 999 pairs with chance 0.46 each if shuffled, nearly all if not. The standard
  // deviation is below 16.
  double equal = 0;
  for (std::size_t i = 1; i < 1000; ++i) {
    equal += answers.labels()[i] == answers.labels()[i - 1] ? 1 : 0;
  }
  EXPECT_LT(std::abs(equal - 999 * 0.4595), 16 * largest_z());
}

TEST(SimulatedAnswers, SizesFollowProportions) {
  EXPECT_EQ(equal_sizes(10, 4), (std::vector<std::uint64_t>{3, 3, 2, 2}));
  EXPECT_EQ(sizes_in_proportion(10, {0.5, 0.25, 0.25}), (std::vector<std::uint64_t>{5, 3, 2}));
  EXPECT_THROW(sizes_in_proportion(10, {0.5, 0.4}), InputError);
  EXPECT_THROW(sizes_in_proportion(10, {1.5, -0.5}), InputError);
  EXPECT_THROW(sizes_in_proportion(10, {0.99, 0.01}), InputError);
  EXPECT_THROW(equal_sizes(3, 4), InputError);
  EXPECT_THROW(equal_sizes(3, 0), InputError);
}

TEST(SimulatedAnswers, RefusalsNameTheRange) {
  const auto message = [](const PlantedModel& model, const Survey& survey) -> std::string {
    try {
      const SimulatedAnswers answers(model, survey);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const PlantedModel model{{3, 3}};
  const QuestionKind triplet = QuestionKind::triplet;
  for (const double epsilon : {0.0, -0.5, 1.01}) {
    EXPECT_THAT(message(model, {triplet, 5, {}, {epsilon}}), HasSubstr("above 0 and at most 1"));
  }
  EXPECT_THAT(message(model, {triplet, 61}), HasSubstr("1 to 60"));
  EXPECT_THAT(message(model, {triplet, 61}), HasSubstr("--replacement"));
  EXPECT_EQ(message(model, {triplet, 60}), "accepted");
  EXPECT_EQ(message(model, {triplet, 61, Sampling::with_replacement}), "accepted");
  EXPECT_THAT(message(model, {triplet, 0}), HasSubstr("1 to 60"));
  EXPECT_THAT(message(model, {triplet, 5, {}, {0.5, 0.5}, 3}), HasSubstr("one for each"));
  EXPECT_THAT(message({{1, 1}}, {triplet, 1}), HasSubstr("3 to"));
  EXPECT_THAT(message({{3, 0}}, {triplet, 1}), HasSubstr("at least one item"));
  EXPECT_THAT(message({{3, 3}, 0}, {triplet, 1}), HasSubstr("above 0 and at most 1"));
  EXPECT_THROW(spread_epsilon(0.8, 0.3, 3, 1), InputError);
  EXPECT_THROW(spread_epsilon(0.5, 0.1, 0, 1), InputError);
}

TEST(AnswerCount, ReadsNumbersRatesAndFormulas) {
  const auto count = [](std::string_view text) { return parse_answer_count(text, 1000, 4, 5e6); };
  EXPECT_EQ(count("329617"), 329617U);
  EXPECT_EQ(count("1e6"), 1000000U);
  EXPECT_EQ(count("0.01"), 50000U);
  const double ln = std::log(1000.0);
  EXPECT_EQ(count("n*ln(n)^3"), static_cast<std::uint64_t>(std::llround(1000 * ln * ln * ln)));
  EXPECT_EQ(count(" 2 * n ^ 2 / k - (k + 1) * sqrt(n + 24) "), 500000U - 160U);
  EXPECT_EQ(count("2^3^2"), 512U);
  for (const char* bad : {"", "0", "-3", "2.5", "x", "n*", "n n", "ln n", "(n", "n)", "1/0", "nan",
                          "inf", "1e30", "n-n", "log(n)", "3-5"}) {
    EXPECT_THROW(count(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace tertium::internal
