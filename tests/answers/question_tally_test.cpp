#include "tertium/answers/question_tally.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/answer_columns.hpp"

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

}  // namespace
}  // namespace tertium::internal
