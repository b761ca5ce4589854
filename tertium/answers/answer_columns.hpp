#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tertium/answers.hpp"

namespace tertium::internal {

/// Many answers, by columns. What is the same for all of them takes no memory: 12 bytes for a
/// triplet (16 for a quadruplet), and only where answers differ in it 1 byte more for their kind, 8
/// for their weight, 4 for who gave them and 4 for their screen. Where the picked option stood is
/// not kept.
class AnswerColumns {
 public:
  AnswerColumns() = default;
  /// Each on a screen of its own.
  explicit AnswerColumns(const std::vector<Answer>& answers);

  /// The answers that follow from one response. Screens are numbered as they come, whatever numbers
  /// the answers have. Throws InputError for quadruplets among others.
  void add_screen(std::span<const Answer> answers);
  void add_plain(const PlainAnswers& plain);
  /// Keeps the memory for answers to come.
  void clear();

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Answer operator[](std::size_t answer) const;

  [[nodiscard]] bool quadruplets() const { return kind_ == QuestionKind::quadruplet; }
  [[nodiscard]] bool of_one_kind() const { return kinds_.empty(); }
  [[nodiscard]] QuestionKind kind_of(std::size_t answer) const {
    return kinds_.empty() ? kind_ : kinds_[answer];
  }
  [[nodiscard]] std::span<const ItemId> items_of(std::size_t answer) const {
    const std::size_t width = items_in(kind_);
    return std::span(items_).subspan(answer * width, width);
  }
  [[nodiscard]] bool of_weight_one() const { return weights_.empty(); }
  [[nodiscard]] Weight weight_of(std::size_t answer) const {
    return weights_.empty() ? weight_one : weights_[answer];
  }
  /// 0 where nobody is named.
  [[nodiscard]] ParticipantId participant_of(std::size_t answer) const {
    return participants_.empty() ? 0 : participants_[answer];
  }
  /// Its own number if every screen has one answer.
  [[nodiscard]] std::uint32_t screen_of(std::size_t answer) const {
    return screens_.empty() ? static_cast<std::uint32_t>(answer) : screens_[answer];
  }

  /// Puts items[i] for every item i and participants[p] for every participant p that is named.
  void renumber(const std::vector<ItemId>& items, const std::vector<ParticipantId>& participants);

  /// All answers of the parts, in the order of their first item (one of 0 .. items-1), and then as
  /// they came. Screens of different parts are different ones. A part is given up once it is used.
  /// Throws InputError for quadruplets among others.
  static AnswerColumns in_order_of_first_item(std::vector<AnswerColumns> parts, std::size_t items);

  /// The answers whose items all have a row, with rows for items. Screens keep their numbers.
  [[nodiscard]] AnswerColumns with_rows(const std::vector<std::uint32_t>& row_of) const;

 private:
  void take_kind(QuestionKind kind, std::size_t answers);
  void push(const Answer& answer);
  void tell_screens_apart();
  void allocate(const std::vector<AnswerColumns>& parts);
  void put(std::size_t at, const AnswerColumns& part, std::size_t answer);

  std::size_t size_ = 0;
  std::uint32_t screen_count_ = 0;
  QuestionKind kind_ = QuestionKind::triplet;  // of all; if there are `kinds_`, of the first
  std::vector<ItemId> items_;
  std::vector<QuestionKind> kinds_;
  std::vector<Weight> weights_;
  std::vector<ParticipantId> participants_;
  std::vector<std::uint32_t> screens_;
};

}  // namespace tertium::internal
