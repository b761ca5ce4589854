#include "tertium/answers/answer_keeper.hpp"

#include <random>

#include <gtest/gtest.h>

#include "tertium/answers/answer_columns.hpp"
#include "tests/answers/screens.hpp"

namespace tertium::internal {
namespace {

/// A sink that keeps what it gets; items are known by their name.
struct Sink {
  ItemTable items;
  ItemTable participants;
  AnswerKeeper kept;

  void begin_part(std::uint64_t number) { kept.begin_part(number, participants.size()); }
  /// Participants p of the screen are named "p", nobody if 0.
  void add(std::vector<Answer> screen) {
    for (Answer& answer : screen) {
      for (ItemId& item : std::span(answer.items).first(3)) item = items.add(std::to_string(item));
      if (answer.participant != 0) {
        answer.participant = 1 + participants.add(std::to_string(answer.participant));
      }
    }
    kept.add_screen(screen);
  }
  /// Rows are what the names say.
  KeptBySink take() {
    std::vector<std::uint32_t> row_of;
    for (const std::string& name : items.names()) {
      row_of.push_back(static_cast<std::uint32_t>(std::stoul(name)));
    }
    return {kept.take_parts(), row_of, participants};
  }
};

/// All answers, as whoever asks for them one by one sees them.
std::vector<Answer> answers_in(const std::vector<AnswerColumns>& parts) {
  std::vector<Answer> answers;
  std::uint32_t screens = 0;
  for (const AnswerColumns& part : parts) {
    const std::uint32_t before = screens;
    for (std::size_t t = 0; t < part.size(); ++t) {
      answers.push_back(part[t]);
      answers.back().screen += before;
      screens = answers.back().screen + 1;
    }
  }
  return answers;
}

/// Participants as they are numbered by somebody who reads everything in order.
std::vector<Answer> with_participants_in_order(std::vector<Answer> answers) {
  ItemTable met;
  for (Answer& answer : answers) {
    if (answer.participant != 0) {
      answer.participant = 1 + met.add(std::to_string(answer.participant));
    }
  }
  return answers;
}

void expect_equal(const std::vector<Answer>& found, const std::vector<Answer>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t t = 0; t < found.size(); ++t) {
    EXPECT_EQ(found[t].kind, expected[t].kind);
    EXPECT_EQ(found[t].items, expected[t].items);
    EXPECT_EQ(found[t].screen, expected[t].screen);
    EXPECT_EQ(found[t].weight, expected[t].weight);
    EXPECT_EQ(found[t].participant, expected[t].participant);
  }
}

TEST(AnswerKeeper, SeveralKeepTogetherWhatOneWouldKeep) {
  tertium::Run run({.threads = 3});
  std::mt19937 random(5);
  for (const Variety& variety : all_varieties()) {
    for (const std::size_t sinks : {1U, 2U, 4U}) {
      const Screens screens = random_screens(variety, 9, 90, 6);
      std::vector<Sink> all(sinks);
      for (std::size_t s = 0; s < screens.size();) {
        Sink& sink = all[random() % sinks];
        sink.begin_part(10 * s);
        for (const std::size_t end = s + random() % 5; s < std::min(end, screens.size()); ++s) {
          sink.add(screens[s]);
        }
      }
      std::vector<KeptBySink> kept;
      for (Sink& sink : all) kept.push_back(sink.take());
      expect_equal(answers_in(put_together(std::move(kept), run)),
                   with_participants_in_order(all_answers(screens)));
    }
  }
}

TEST(AnswerKeeper, CountsParticipantsWithoutAnswers) {
  tertium::Run run;
  Answer answer;
  answer.items = {0, 1, 2, 0};
  std::vector<Sink> sinks(2);
  sinks[0].begin_part(0);
  sinks[0].participants.add("7");  // of a row that gave no answer
  sinks[1].begin_part(1);
  answer.participant = 8;
  sinks[1].add({answer});
  sinks[0].begin_part(2);
  answer.participant = 8;
  sinks[0].add({answer});
  answer.participant = 7;
  sinks[0].add({answer});
  sinks[1].begin_part(3);
  sinks[1].participants.add("9");
  std::vector<KeptBySink> kept;
  for (Sink& sink : sinks) kept.push_back(sink.take());
  std::vector<ParticipantId> found;
  for (const Answer& one : answers_in(put_together(std::move(kept), run))) {
    found.push_back(one.participant);
  }
  EXPECT_EQ(found, (std::vector<ParticipantId>{2, 2, 1}));
}

TEST(AnswerKeeper, KeepsLargePartsInOrder) {
  constexpr std::uint32_t count = 300000;
  tertium::Run run;
  Sink sink;
  for (std::uint32_t item = 0; item < 100; ++item) sink.items.add(std::to_string(item));
  sink.begin_part(0);
  std::vector<ItemId> items;
  for (std::uint32_t t = 0; t < count; ++t) {
    items.insert(items.end(), {t % 97, 98, 99});
    if (items.size() < 3000) continue;
    sink.kept.add_plain({QuestionKind::triplet, items});
    items.clear();
  }
  std::vector<KeptBySink> kept;
  kept.push_back(sink.take());
  const auto parts = put_together(std::move(kept), run);
  EXPECT_GT(parts.size(), 1U);
  const std::vector<Answer> found = answers_in(parts);
  ASSERT_EQ(found.size(), count);
  for (std::uint32_t t = 0; t < count; ++t) {
    ASSERT_EQ(found[t].items[0], t % 97);
    ASSERT_EQ(found[t].screen, t);
  }
}

}  // namespace
}  // namespace tertium::internal
