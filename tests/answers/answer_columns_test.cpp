#include "tertium/answers/answer_columns.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/integer_triangle.hpp"
#include "tests/answers/screens.hpp"

namespace tertium::internal {
namespace {

/// All of an answer but its screen and where the picked option stood.
auto told(const Answer& answer) {
  return std::tuple(answer.kind, answer.items, answer.weight, answer.participant);
}

/// The same answers in the same order, on the same screens whatever their numbers.
void expect_same(const AnswerColumns& columns, const std::vector<Answer>& expected) {
  ASSERT_EQ(columns.size(), expected.size());
  for (std::size_t t = 0; t < expected.size(); ++t) {
    EXPECT_EQ(told(columns[t]), told(expected[t]));
    EXPECT_EQ(columns.kind_of(t), expected[t].kind);
    EXPECT_EQ(columns.weight_of(t), expected[t].weight);
    EXPECT_EQ(columns.participant_of(t), expected[t].participant);
    EXPECT_EQ(columns[t].screen, columns.screen_of(t));
  }
  EXPECT_EQ(shared_screens(columns.size(), [&](std::size_t t) { return columns.screen_of(t); }),
            shared_screens(expected.size(), [&](std::size_t t) { return expected[t].screen; }));
}

TEST(AnswerColumns, GiveBackWhatWasAdded) {
  for (const Variety& variety : all_varieties()) {
    const Screens screens = random_screens(variety, 9, 60, 1);
    AnswerColumns columns;
    for (int round = 0; round < 2; ++round) {
      columns.clear();
      for (const auto& screen : screens) columns.add_screen(screen);
      expect_same(columns, all_answers(screens));
      for (std::size_t t = 0; t < columns.size(); ++t) {
        EXPECT_EQ(columns.screen_of(t), all_answers(screens)[t].screen);
      }
      EXPECT_EQ(columns.of_one_kind(), !variety.kinds);
      EXPECT_EQ(columns.of_weight_one(), !variety.weights);
    }
  }
}

TEST(AnswerColumns, TakePlainAnswersLikeAllOthers) {
  const std::vector<ItemId> items = {4, 1, 2, 0, 3, 1, 2, 0, 4};
  const std::vector<ParticipantId> nobody;
  for (const auto& participants : {nobody, {0, 0, 0}, {0, 3, 0}}) {
    for (const Variety& variety : all_varieties()) {
      Screens screens = random_screens(variety, 9, 20, 2);
      AnswerColumns columns;
      for (const auto& screen : screens) columns.add_screen(screen);
      const PlainAnswers plain{QuestionKind::triplet, items, participants};
      columns.add_plain(plain);
      for (std::uint32_t t = 0; t < 3; ++t) {
        Answer answer;
        std::copy_n(items.begin() + 3 * t, 3, answer.items.begin());
        if (!participants.empty()) answer.participant = participants[t];
        answer.screen = 20 + t;
        screens.push_back({answer});
      }
      screens.push_back({screens[19]});
      for (Answer& answer : screens.back()) answer.screen = 23;
      columns.add_screen(screens.back());
      expect_same(columns, all_answers(screens));
    }
  }
}

TEST(AnswerColumns, OfManyPartsAreInTheOrderOfTheFirstItem) {
  for (const Variety& variety : all_varieties()) {
    const Screens screens = random_screens(variety, 9, 60, 3);
    // Some parts are empty, and the first ones have nothing that varies.
    std::vector<AnswerColumns> parts(7);
    for (std::size_t s = 0; s < screens.size(); ++s) parts[1 + s / 12].add_screen(screens[s]);
    std::vector<Answer> expected = all_answers(screens);
    std::ranges::stable_sort(expected, {}, [](const Answer& answer) { return answer.items[0]; });
    expect_same(AnswerColumns::in_order_of_first_item(std::move(parts), 9), expected);
  }
}

TEST(AnswerColumns, KeepAnswersWithRowsAndTheirScreens) {
  std::vector<std::uint32_t> row_of = {3, no_row, 0, 1, 2, 4, 5, 6, 7};
  for (const Variety& variety : all_varieties()) {
    const Screens screens = random_screens(variety, 9, 60, 4);
    AnswerColumns columns;
    for (const auto& screen : screens) columns.add_screen(screen);
    std::vector<Answer> expected;
    for (Answer answer : all_answers(screens)) {
      const auto items = std::span(answer.items).first(3);
      if (std::ranges::find(items, 1U) != items.end()) continue;
      for (ItemId& item : items) item = row_of[item];
      expected.push_back(answer);
    }
    expect_same(columns.with_rows(row_of), expected);
  }
}

TEST(AnswerColumns, GetOtherNumbers) {
  AnswerColumns columns;
  columns.add_plain({QuestionKind::quadruplet, std::vector<ItemId>{0, 1, 2, 3, 3, 2, 1, 0},
                     std::vector<ParticipantId>{2, 0}});
  columns.renumber({7, 6, 5, 4}, {0, 9, 8});
  EXPECT_EQ(columns[0].items, (std::array<ItemId, 4>{7, 6, 5, 4}));
  EXPECT_EQ(columns[1].items, (std::array<ItemId, 4>{4, 5, 6, 7}));
  EXPECT_EQ(columns.participant_of(0), 8U);
  EXPECT_EQ(columns.participant_of(1), 0U);
}

TEST(AnswerColumns, RefuseTripletsAmongQuadruplets) {
  const Answer triplet{QuestionKind::triplet, {0, 1, 2}};
  const Answer quadruplet{QuestionKind::quadruplet, {0, 1, 2, 3}};
  EXPECT_THROW(AnswerColumns({quadruplet, triplet}), InputError);
  EXPECT_THROW(AnswerColumns({triplet, quadruplet}), InputError);
  EXPECT_THROW(AnswerColumns::in_order_of_first_item(
                   {AnswerColumns({triplet}), AnswerColumns({quadruplet})}, 4),
               InputError);
}

}  // namespace
}  // namespace tertium::internal
