#include "tertium/planted/questions.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/question.hpp"
#include "tests/false_alarm.hpp"
#include "tests/planted/question_kinds.hpp"

namespace tertium::internal {
namespace {

/// The questions at positions [0, count).
std::vector<Question> first_questions(const QuestionSampler& sampler, QuestionKind kind,
                                      std::size_t count) {
  std::vector<Question> result;
  QuestionSampler::Block block;
  for (std::size_t first = 0; first < count; first += QuestionSampler::block) {
    const std::size_t here = std::min(count - first, QuestionSampler::block);
    sampler.fill(first, here, block);
    for (std::size_t i = 0; i < here; ++i) {
      EXPECT_FALSE(compares_with_itself(kind, {block[i].data(), items_in(kind)}));
      result.push_back(question_of({.kind = kind, .items = block[i]}).question);
    }
  }
  return result;
}

TEST(KeyedOrder, VisitsEveryCellOnce) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 7}, {7, 1}, {3, 4}, {50, 2}, {31, 37}}) {
    const auto cells = static_cast<std::size_t>(rows * columns);
    const KeyedOrder order(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                           5);
    std::vector<std::uint64_t> row(cells);
    std::vector<std::uint64_t> column(cells);
    order.fill(0, cells, row.data(), column.data());
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::size_t i = 0; i < cells; ++i) {
      EXPECT_LT(row[i], rows);
      EXPECT_LT(column[i], columns);
      seen.emplace(row[i], column[i]);
    }
    EXPECT_EQ(seen.size(), cells);
  }
}

TEST(Questions, WithoutReplacementEveryQuestionComesOnce) {
  for (const QuestionKind kind : question_kinds) {
    for (std::uint64_t items = 3; items <= 10; ++items) {
      const auto count = static_cast<std::size_t>(count_questions(kind, items));
      const QuestionSampler sampler(kind, items, Sampling::without_replacement, items);
      const auto questions = first_questions(sampler, kind, count);
      EXPECT_EQ(std::set<Question>(questions.begin(), questions.end()).size(), count);
    }
  }
}

TEST(Questions, ManyItemsGiveDistinctQuestions) {
  for (const QuestionKind kind : question_kinds) {
    const QuestionSampler sampler(kind, 1'000'000, Sampling::without_replacement, 3);
    const auto questions = first_questions(sampler, kind, 20000);
    EXPECT_EQ(std::set<Question>(questions.begin(), questions.end()).size(), 20000U);
    std::uint64_t largest = 0;
    for (const Question& question : questions) {
      for (const ItemId item : question.items) largest = std::max<std::uint64_t>(largest, item);
    }
    EXPECT_GT(largest, 990'000U);
    EXPECT_LT(largest, 1'000'000U);
  }
}

/// Chi-square of how often each possible outcome came.
template <typename Outcome>
double chi_square(const std::map<Outcome, double>& counts, double outcomes, double total) {
  const double expected = total / outcomes;
  double sum = (outcomes - static_cast<double>(counts.size())) * expected;
  for (const auto& [outcome, count] : counts) {
    sum += (count - expected) * (count - expected) / expected;
  }
  return sum;
}

// Each comparison with a bound has the false-alarm rate of tests/false_alarm.hpp.
TEST(Questions, AreUniform) {
  for (const QuestionKind kind : question_kinds) {
    for (const Sampling sampling : {Sampling::without_replacement, Sampling::with_replacement}) {
      const double questions = count_questions(kind, 5);
      const bool replaced = sampling == Sampling::with_replacement;
      const double pairs = replaced ? questions * questions : questions * (questions - 1);
      const double seeds = 20 * pairs;
      std::map<Question, double> first;
      std::map<std::pair<Question, Question>, double> both;
      for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed) {
        const auto two = first_questions({kind, 5, sampling, seed}, kind, 2);
        ++first[two[0]];
        ++both[{two[0], two[1]}];
      }
      EXPECT_LT(chi_square(first, questions, seeds), largest_chi_square(questions - 1));
      EXPECT_LT(chi_square(both, pairs, seeds), largest_chi_square(pairs - 1));
    }
  }
}

TEST(Questions, AreUniformWithinOneSurvey) {
  for (const QuestionKind kind : question_kinds) {
    // One question in ten of those about 40 items (the chi-square of a sample without replacement
    // is even smaller): anchors or first items of pairs, and the rest, are equally frequent.
    const QuestionSampler sampler(kind, 40, Sampling::without_replacement, 8);
    const auto count = static_cast<std::size_t>(count_questions(kind, 40) / 10);
    std::map<ItemId, double> mentions;
    for (const Question& question : first_questions(sampler, kind, count)) {
      for (std::size_t i = 0; i < items_in(kind); ++i) ++mentions[question.items[i]];
    }
    EXPECT_LT(chi_square(mentions, 40, static_cast<double>(count * items_in(kind))),
              largest_chi_square(39));
  }
}

}  // namespace
}  // namespace tertium::internal
