#include "tertium/answers/question_tally.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/answer_columns.hpp"
#include "tests/sanitized.hpp"

namespace tertium::internal {
namespace {

/// Few items and all kinds of questions, so that many repeat; a few answers have half a weight.
std::vector<Answer> mixed_answers(int count) {
  std::mt19937 random(9);
  std::vector<Answer> answers;
  while (answers.size() < static_cast<std::size_t>(count)) {
    Answer answer;
    answer.kind = static_cast<QuestionKind>(random() % 4);
    for (std::size_t i = 0; i < items_in(answer.kind); ++i) {
      answer.items[i] = static_cast<ItemId>(random() % 6);
    }
    if (random() % 50 == 0) answer.weight = weight_one / 2;
    const auto shown = std::span(answer.items).first(items_in(answer.kind));
    if (!compares_with_itself(answer.kind, shown)) answers.push_back(answer);
  }
  return answers;
}

TEST(TallyQuestions, CountsTheAnswersToEachQuestionInOrder) {
  const std::vector<Answer> answers = mixed_answers(5000);
  std::map<Question, QuestionTally> expected;
  for (const Answer& answer : answers) {
    const auto [question, choice] = question_of(answer);
    QuestionTally& tally = expected[question];
    tally.weight[choice] += answer.weight;
    ++tally.count[choice];
    if (answer.weight % weight_one != 0) tally.whole_weights = false;
  }
  auto next = expected.begin();
  tally_questions(answers, [&](const QuestionTally& tally) {
    ASSERT_NE(next, expected.end());
    EXPECT_EQ(tally.question, next->first);
    EXPECT_EQ(tally.weight, next->second.weight);
    EXPECT_EQ(tally.count, next->second.count);
    EXPECT_EQ(tally.whole_weights, next->second.whole_weights);
    ++next;
  });
  EXPECT_EQ(next, expected.end());
}

TEST(TallyQuestions, IsTheSameForColumns) {
  std::vector<Answer> answers = mixed_answers(2000);
  std::erase_if(answers, [](const Answer& a) { return a.kind == QuestionKind::quadruplet; });
  const auto tallies = [](const auto& some) {
    std::vector<std::tuple<Question, std::array<Weight, 3>, std::array<std::uint64_t, 3>>> all;
    tally_questions(some, [&](const QuestionTally& tally) {
      all.emplace_back(tally.question, tally.weight, tally.count);
    });
    return all;
  };
  EXPECT_EQ(tallies(AnswerColumns(answers)), tallies(answers));
}

TEST(TallyQuestions, HasNothingToSayOfNoAnswers) {
  tally_questions(std::vector<Answer>(), [](const QuestionTally&) { FAIL(); });
  tally_questions(AnswerColumns(), [](const QuestionTally&) { FAIL(); });
}

/// Kept is what was asked more than once; others may be visited too.
using Repeated = std::map<Question, std::pair<std::array<Weight, 3>, std::array<std::uint64_t, 3>>>;

void keep_repeated(const QuestionTally& tally, Repeated& repeated) {
  if (tally.count[0] + tally.count[1] + tally.count[2] < 2) return;
  EXPECT_TRUE(repeated.emplace(tally.question, std::pair(tally.weight, tally.count)).second);
}

void expect_all_repeated(const AnswerColumns& answers, int threads) {
  Repeated expected;
  for (std::size_t t = 0; t < answers.size(); ++t) {
    const auto [question, choice] = question_of(answers[t]);
    auto& [weight, count] = expected[question];
    weight[choice] += answers[t].weight;
    ++count[choice];
  }
  std::erase_if(expected, [](const auto& entry) {
    const auto& count = entry.second.second;
    return count[0] + count[1] + count[2] < 2;
  });
  EXPECT_FALSE(expected.empty());
  tertium::Run run({.threads = threads});
  std::vector<Repeated> by_worker(static_cast<std::size_t>(run.threads()));
  tally_repeated_questions(answers, run, [&](int worker, const QuestionTally& tally) {
    keep_repeated(tally, by_worker[static_cast<std::size_t>(worker)]);
  });
  Repeated found;
  std::size_t count = 0;
  for (const Repeated& part : by_worker) {
    found.insert(part.begin(), part.end());
    count += part.size();
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(count, expected.size());
}

TEST(TallyRepeatedQuestions, FindsAllThatWereAskedAgain) {
  std::vector<Answer> mixed = mixed_answers(2000);
  std::erase_if(mixed, [](const Answer& a) { return a.kind == QuestionKind::quadruplet; });
  expect_all_repeated(AnswerColumns(mixed), 2);
  // So many triplets that several threads take part; in their order, in that of their first item,
  // and then with a weight among them.
  std::mt19937 random(5);
  std::vector<Answer> triplets(sanitized ? 100000 : 400000);
  for (Answer& answer : triplets) {
    do {
      for (std::size_t i = 0; i < 3; ++i) answer.items[i] = static_cast<ItemId>(random() % 90);
    } while (compares_with_itself(QuestionKind::triplet, std::span(answer.items).first(3)));
  }
  expect_all_repeated(AnswerColumns(triplets), 2);
  std::stable_sort(triplets.begin(), triplets.end(),
                   [](const Answer& a, const Answer& b) { return a.items[0] < b.items[0]; });
  for (const int threads : {1, 2, 5}) expect_all_repeated(AnswerColumns(triplets), threads);
  triplets[100].weight = weight_one / 2;
  expect_all_repeated(AnswerColumns(triplets), 2);
}

}  // namespace
}  // namespace tertium::internal
