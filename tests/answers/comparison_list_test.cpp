#include "tertium/answers/comparison_list.hpp"

#include <set>

#include <gtest/gtest.h>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/core/triangle_builder.hpp"
#include "tertium/error.hpp"
#include "tertium/similarity/accumulator.hpp"
#include "tertium/spectral/sparse_map.hpp"
#include "tests/answers/screens.hpp"
#include "tests/selection/answers.hpp"

namespace tertium::internal {
namespace {

/// S of the answers, each times its factor, from the definition: S_ij += w and S_rs -= w.
Eigen::MatrixXd similarity_by_definition(const std::vector<Answer>& answers,
                                         const std::vector<AnswerFactor>& factor,
                                         const std::vector<std::uint32_t>& row_of, int rows) {
  Eigen::MatrixXd similarity = Eigen::MatrixXd::Zero(rows, rows);
  const auto add = [&](ItemId a, ItemId b, double weight) {
    similarity(row_of[a], row_of[b]) += weight;
    similarity(row_of[b], row_of[a]) += weight;
  };
  for (std::size_t t = 0; t < answers.size(); ++t) {
    const auto& [a, b, c, d] = answers[t].items;
    const double weight =
        factor[t] * static_cast<double>(answers[t].weight) / static_cast<double>(weight_one);
    switch (answers[t].kind) {
      case QuestionKind::triplet:
        add(a, b, weight);
        add(a, c, -weight);
        break;
      case QuestionKind::quadruplet:
        add(a, b, weight);
        add(c, d, -weight);
        break;
      case QuestionKind::odd_one_out:  // (a, b, odd): (a; b over c) and (b; a over c)
        add(a, b, 2 * weight);
        add(a, c, -weight);
        add(b, c, -weight);
        break;
      case QuestionKind::most_central:  // (central, b, c): (b; a over c) and (c; a over b)
        add(a, b, weight);
        add(a, c, weight);
        add(b, c, -2 * weight);
        break;
    }
  }
  return similarity;
}

Eigen::MatrixXd dense(const SparseMap& rows) {
  const Eigen::Index size = rows.size();
  VectorBlock result;
  tertium::Run run;
  rows.multiply(VectorBlock::Identity(size, size), result, run);
  return result;
}

Eigen::MatrixXd dense(const IntegerTriangle& triangle) { return dense(SparseMap(triangle)); }

TEST(ComparisonList, AddsUpAnyFactorsOfAnyKind) {
  constexpr int items = 12;
  std::vector<std::uint32_t> row_of = same_rows(items);
  std::reverse(row_of.begin(), row_of.end());
  for (const bool weighted : {false, true}) {
    for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet,
                            QuestionKind::odd_one_out, QuestionKind::most_central}) {
      std::vector<Answer> answers =
          in_order_of_first_item(random_answers(kind, items, 80, 3), row_of);
      std::mt19937 random(4);
      std::vector<AnswerFactor> factor(answers.size());
      for (std::size_t t = 0; t < answers.size(); ++t) {
        if (weighted) answers[t].weight = weight_one / 4 * static_cast<Weight>(random() % 9);
        factor[t] = static_cast<AnswerFactor>(static_cast<int>(random() % 5) - 2);
      }
      const ComparisonList list = list_comparisons(answers, row_of, items);
      EXPECT_EQ(list.answers(), answers.size());
      EXPECT_EQ(list.left_out, 0U);
      SparseMap rows(list.pattern);
      const std::vector<AnswerFactor> once(answers.size(), 1);
      EXPECT_EQ(dense(rows), similarity_by_definition(answers, once, row_of, items));
      std::vector<std::int64_t> sums;
      add_up(list, factor, sums);
      rows.set_values(sums);
      EXPECT_EQ(dense(rows), similarity_by_definition(answers, factor, row_of, items));
    }
  }
}

TEST(ComparisonList, AgreesWithTheAccumulator) {
  const std::vector<Answer> answers = random_answers(QuestionKind::triplet, 30, 500, 5);
  Accumulator accumulator;
  for (int i = 0; i < 30; ++i) accumulator.items.add(std::to_string(i));
  for (const Answer& answer : answers) accumulator.add(answer);
  const ComparisonList list = list_comparisons(answers, same_rows(30), 30);
  tertium::Run run;
  EXPECT_EQ(dense(list.pattern), dense(accumulator.snapshot(0, run)));
}

TEST(ComparisonList, LeavesOutAnswersAboutItemsWithoutARow) {
  const std::vector<Answer> answers = random_answers(QuestionKind::odd_one_out, 8, 200, 6);
  std::vector<std::uint32_t> row_of = same_rows(8);
  row_of[7] = no_row;
  std::vector<Answer> kept;
  for (const Answer& answer : answers) {
    if (std::count(answer.items.begin(), answer.items.begin() + 3, 7U) == 0) kept.push_back(answer);
  }
  const ComparisonList list = list_comparisons(answers, row_of, 7);
  EXPECT_EQ(list.left_out, answers.size() - kept.size());
  EXPECT_EQ(dense(list.pattern), dense(list_comparisons(kept, row_of, 7).pattern));
}

TEST(ComparisonList, KnowsTheSameQuestionWhateverTheAnswer) {
  std::vector<Answer> answers(5);
  answers[0].items = {0, 1, 2, 0};
  answers[1].items = {0, 2, 1, 0};
  answers[2].items = {1, 0, 2, 0};
  answers[3] = {QuestionKind::odd_one_out, {0, 1, 2, 0}};
  answers[4] = {QuestionKind::odd_one_out, {2, 1, 0, 0}};
  const ComparisonList list = list_comparisons(answers, same_rows(3), 3);
  const auto& [first, turned_round, odd, other_anchor, odd_again] =
      std::array{list.question_hash(0), list.question_hash(1), list.question_hash(2),
                 list.question_hash(3), list.question_hash(4)};
  EXPECT_EQ(first, turned_round);
  EXPECT_NE(first, other_anchor);
  EXPECT_NE(first, odd);
  EXPECT_EQ(odd, odd_again);
}

TEST(ComparisonList, KeepsTogetherWhatBelongsToAnAnswer) {
  constexpr int items = 9;
  std::vector<std::uint32_t> row_of = same_rows(items);
  std::reverse(row_of.begin(), row_of.end());
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet}) {
    std::vector<Answer> answers = random_answers(kind, items, 60, 8);
    for (std::size_t t = 0; t < answers.size(); ++t) {
      answers[t].weight = static_cast<Weight>(t + 1) * weight_one;
      answers[t].participant = static_cast<ParticipantId>(t % 7);
    }
    const ComparisonList list = list_comparisons(answers, row_of, items);
    const std::vector<Answer> expected = in_order_of_first_item(answers, row_of);
    ASSERT_EQ(list.answers(), expected.size());
    for (std::size_t t = 0; t < expected.size(); ++t) {
      const auto& [a, b, c, d] = expected[t].items;
      const bool quadruplet = kind == QuestionKind::quadruplet;
      ASSERT_EQ(list.of(t).size(), 1U);
      const Comparison& comparison = list.of(t)[0];
      EXPECT_EQ(comparison.i, row_of[a]);
      EXPECT_EQ(comparison.j, row_of[b]);
      EXPECT_EQ(comparison.r, row_of[quadruplet ? c : a]);
      EXPECT_EQ(comparison.s, row_of[quadruplet ? d : c]);
      EXPECT_EQ(list.weight_of(t), expected[t].weight / weight_one);
      EXPECT_EQ(list.participant_of(t), expected[t].participant);
    }
  }
}

TEST(ComparisonList, KnowsWhichAnswersShareAScreen) {
  tertium::Run run;
  for (const Variety& variety : all_varieties()) {
    const Screens screens = random_screens(variety, 9, 60, 9);
    std::vector<AnswerColumns> parts(4);
    for (std::size_t s = 0; s < screens.size(); ++s) parts[s / 15].add_screen(screens[s]);
    const ComparisonList list = list_comparisons(std::move(parts), 9, nullptr, run);
    const auto expected = in_order_of_first_item(all_answers(screens), same_rows(9));
    EXPECT_EQ(shared_screens(list.answers(), [&](std::size_t t) { return list.screen_of(t); }),
              shared_screens(expected.size(), [&](std::size_t t) { return expected[t].screen; }));
    for (std::size_t t = 0; t < expected.size(); ++t) {
      EXPECT_EQ(list.given[t].items, expected[t].items);
      EXPECT_EQ(list.of(t).size(), comparisons_in(expected[t].kind));
      EXPECT_EQ(list.pairs_of(t).size(), comparisons_in(expected[t].kind));
    }
  }
}

/// The pairs of all comparisons are where the list says.
void expect_pairs_found(const ComparisonList& list) {
  const IntegerTriangle& pattern = list.pattern;
  const auto expect_at = [&](std::uint32_t at, std::uint32_t i, std::uint32_t j) {
    EXPECT_EQ(pattern.column[at], std::min(i, j));
    EXPECT_GE(at, pattern.row_start[std::max(i, j)]);
    EXPECT_LT(at, pattern.row_start[std::max(i, j) + 1]);
  };
  std::set<std::uint32_t> used;
  for (std::size_t t = 0; t < list.answers(); ++t) {
    for (std::size_t c = 0; c < list.of(t).size(); ++c) {
      const auto [i, j, r, s] = list.of(t)[c];
      expect_at(list.pairs_of(t)[c].plus, i, j);
      expect_at(list.pairs_of(t)[c].minus, r, s);
      used.insert({list.pairs_of(t)[c].plus, list.pairs_of(t)[c].minus});
    }
  }
  EXPECT_EQ(used.size(), pattern.column.size());
  for (std::size_t row = 0; row < pattern.size(); ++row) {
    const auto columns =
        std::span(pattern.column)
            .subspan(pattern.row_start[row], pattern.row_start[row + 1] - pattern.row_start[row]);
    EXPECT_TRUE(std::ranges::is_sorted(columns));
  }
}

TEST(ComparisonList, IsTheSameAtAnyNumberOfThreadsAndWithKnownSums) {
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet,
                          QuestionKind::odd_one_out, QuestionKind::most_central}) {
    // Sparse and dense; most items are never mentioned; so many that threads share them.
    for (const auto& [items, rows, count] :
         {std::tuple{60, 60, 300}, {9, 9, 300}, {9, 300, 300}, {90, 90, 140000}}) {
      const std::vector<Answer> answers = random_answers(kind, items, count, 7);
      const auto size = static_cast<std::size_t>(rows);
      const ComparisonList one = list_comparisons(answers, same_rows(rows), size);
      expect_pairs_found(one);
      IntegerTriangle known;  // without zeros
      TriangleBuilder builder(known, size);
      const auto for_each_sum = [&](const auto& visit) {
        for (std::uint32_t row = 0; row < size; ++row) {
          for (auto at = one.pattern.row_start[row]; at < one.pattern.row_start[row + 1]; ++at) {
            const std::int64_t value = one.pattern.value[at];
            if (value != 0) visit(row, one.pattern.column[at], value);
          }
        }
      };
      for_each_sum([&](auto i, auto j, auto) { builder.count(i, j); });
      builder.allocate();
      for_each_sum([&](auto i, auto j, auto value) { builder.put(i, j, value); });
      for (const int threads : {1, 2, 11}) {
        tertium::Run run({.threads = threads});
        const ComparisonList again = list_comparisons({AnswerColumns(answers)}, size, &known, run);
        EXPECT_EQ(again.pattern, one.pattern);
        ASSERT_EQ(again.comparisons(), one.comparisons());
        for (std::size_t c = 0; c < one.comparisons(); ++c) {
          EXPECT_EQ(again.pairs[c].plus, one.pairs[c].plus);
          EXPECT_EQ(again.pairs[c].minus, one.pairs[c].minus);
        }
      }
    }
  }
}

TEST(ComparisonList, CanBeCutDownToSomeRows) {
  tertium::Run run;
  std::vector<std::uint32_t> row_of = same_rows(12);
  row_of[3] = no_row;
  for (std::uint32_t item = 4; item < 12; ++item) row_of[item] = item - 1;
  for (const auto kind : {QuestionKind::triplet, QuestionKind::quadruplet,
                          QuestionKind::odd_one_out, QuestionKind::most_central}) {
    const std::vector<Answer> answers = random_answers(kind, 12, 300, 8);
    const ComparisonList cut =
        with_rows(list_comparisons(answers, same_rows(12), 12), row_of, 11, run);
    const ComparisonList expected = list_comparisons(answers, row_of, 11);
    EXPECT_EQ(cut.pattern, expected.pattern);
    EXPECT_EQ(cut.left_out, expected.left_out);
    EXPECT_GT(cut.left_out, 0U);
    ASSERT_EQ(cut.answers(), expected.answers());
    for (std::size_t t = 0; t < cut.answers(); ++t) {
      EXPECT_EQ(cut.given[t].items, expected.given[t].items);
    }
    expect_pairs_found(cut);
  }
}

TEST(ComparisonList, RefusesTripletsAmongQuadruplets) {
  std::vector<Answer> answers = random_answers(QuestionKind::quadruplet, 8, 2, 6);
  answers.push_back(random_answers(QuestionKind::triplet, 8, 1, 6)[0]);
  EXPECT_THROW(list_comparisons(answers, same_rows(8), 8), InputError);
}

}  // namespace
}  // namespace tertium::internal
