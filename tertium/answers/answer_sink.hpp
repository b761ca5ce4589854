#pragma once

#include <cstdint>
#include <span>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/items.hpp"

namespace tertium {

/// Many answers of one kind and weight one, each on a screen of its own.
struct PlainAnswers {
  QuestionKind kind = QuestionKind::triplet;
  std::span<const ItemId> items;                  // items_in(kind) ids for each
  std::span<const ParticipantId> participants{};  // one for each; empty: it does not matter who
};

/// How much of the answers a sink makes use of. What it does not use need not be read.
enum class AnswerDetail : std::uint8_t {
  sums,          // sums over pairs; `items` may number more than the items, in any order
  participants,  // that, the answers one by one, and who gave them
  everything     // that, where the picked option stood, and items numbered as they come
};

/// Takes answers from the reader. A sink has its own numbering of items and participants. Answers
/// that compare an item with itself never arrive. Numbers of screens are given by sinks that keep
/// answers.
class AnswerSink {
 public:
  AnswerSink() = default;
  AnswerSink(const AnswerSink&) = delete;
  AnswerSink& operator=(const AnswerSink&) = delete;
  AnswerSink(AnswerSink&&) = default;
  AnswerSink& operator=(AnswerSink&&) = default;
  virtual ~AnswerSink() = default;

  /// What follows is from this part of the input. Parts are numbered in the order of the input; a
  /// sink gets some of them, in this order, and never a part of a screen.
  virtual void begin_part(std::uint64_t /*number*/) {}

  /// An answer on a screen of its own.
  virtual void add(const Answer& answer) = 0;

  /// The answers that follow from one response, at least one.
  virtual void add_screen(std::span<const Answer> answers) {
    for (const Answer& answer : answers) add(answer);
  }

  /// The same as `add` for each of them.
  virtual void add_plain(const PlainAnswers& answers) = 0;

  [[nodiscard]] virtual AnswerDetail detail() const = 0;

  ItemTable items;
  ItemTable participants;  // the name of participant p is participants.name(p - 1)
};

}  // namespace tertium
