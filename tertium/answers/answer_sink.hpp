#pragma once

#include <cstdint>
#include <span>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/items.hpp"

namespace tertium {

/// Many answers of one kind and weight one, from a participant that does not matter: items_in(kind)
/// ids for each.
struct PlainAnswers {
  QuestionKind kind = QuestionKind::triplet;
  std::span<const ItemId> items;
};

/// Takes answers from the reader. A sink has its own numbering of items and participants. Answers
/// that compare an item with itself never arrive.
class AnswerSink {
 public:
  AnswerSink() = default;
  AnswerSink(const AnswerSink&) = delete;
  AnswerSink& operator=(const AnswerSink&) = delete;
  AnswerSink(AnswerSink&&) = default;
  AnswerSink& operator=(AnswerSink&&) = default;
  virtual ~AnswerSink() = default;

  virtual void add(const Answer& answer) = 0;

  /// The same as `add` for each of them.
  virtual void add_plain(const PlainAnswers& answers) = 0;

  /// True if only sums over pairs are wanted: then participants, positions and the order of items
  /// may be lost, and `items` may hold numbers that are not items.
  [[nodiscard]] virtual bool wants_only_sums() const = 0;

  ItemTable items;
  ItemTable participants;  // the name of participant p is participants.name(p - 1)
};

}  // namespace tertium
