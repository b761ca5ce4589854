#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "tertium/answers/answer.hpp"

namespace tertium::internal {

/// What was asked, the same for every answer to it: a triplet question is (anchor; b, c) with b <
/// c, a quadruplet question is two unordered pairs, odd-one-out and most-central questions are
/// three items in increasing order.
struct Question {
  QuestionKind kind = QuestionKind::triplet;
  std::array<ItemId, 4> items{};

  friend auto operator<=>(const Question&, const Question&) = default;
};

/// A question and which of its two or three possible answers was given.
struct AnsweredQuestion {
  Question question;
  std::uint8_t choice = 0;
};

AnsweredQuestion question_of(const Answer& answer);

/// The items of the Answer that gives `choice` to `question`: the inverse of question_of.
std::array<ItemId, 4> items_of(const Question& question, std::uint8_t choice);

}  // namespace tertium::internal
