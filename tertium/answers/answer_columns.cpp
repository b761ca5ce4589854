#include "tertium/answers/answer_columns.hpp"

#include <algorithm>
#include <numeric>

#include "tertium/error.hpp"
#include "tertium/integer_triangle.hpp"

namespace tertium::internal {
namespace {

/// Adds the value of one answer to a column that `before` answers have, or need not have as long as
/// all have the usual value.
template <class T>
void push_unless_usual(std::vector<T>& column, T value, T usual, std::size_t before) {
  if (column.empty()) {
    if (value == usual) return;
    column.assign(before, usual);
  }
  column.push_back(value);
}

[[noreturn]] void refuse_mixture() {
  throw InputError({{},
                    "triplets and quadruplets together",
                    "either triplets or quadruplets in one run",
                    "Run them one after the other"});
}

}  // namespace

AnswerColumns::AnswerColumns(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) add_screen({&answer, 1});
}

Answer AnswerColumns::operator[](std::size_t answer) const {
  Answer result;
  result.kind = kind_of(answer);
  std::ranges::copy(items_of(answer), result.items.begin());
  result.screen = screen_of(answer);
  result.weight = weight_of(answer);
  result.participant = participant_of(answer);
  return result;
}

void AnswerColumns::clear() {
  size_ = 0;
  screen_count_ = 0;
  items_.clear();
  kinds_.clear();
  weights_.clear();
  participants_.clear();
  screens_.clear();
}

void AnswerColumns::take_kind(QuestionKind kind, std::size_t answers) {
  if (size_ == 0) kind_ = kind;
  if ((kind == QuestionKind::quadruplet) != quadruplets()) refuse_mixture();
  if (kinds_.empty() && kind == kind_) return;
  kinds_.resize(size_, kind_);
  kinds_.resize(size_ + answers, kind);
}

/// All but the screen.
void AnswerColumns::push(const Answer& answer) {
  take_kind(answer.kind, 1);
  const auto items = std::span(answer.items).first(items_in(answer.kind));
  items_.insert(items_.end(), items.begin(), items.end());
  push_unless_usual(weights_, answer.weight, weight_one, size_);
  push_unless_usual(participants_, answer.participant, ParticipantId{0}, size_);
  ++size_;
}

void AnswerColumns::tell_screens_apart() {
  if (!screens_.empty()) return;
  screens_.resize(size_);
  std::iota(screens_.begin(), screens_.end(), 0U);
}

void AnswerColumns::add_screen(std::span<const Answer> answers) {
  if (answers.size() > 1) tell_screens_apart();
  const bool apart = answers.size() > 1 || !screens_.empty();
  for (const Answer& answer : answers) push(answer);
  if (apart) screens_.resize(size_, screen_count_);
  ++screen_count_;
}

void AnswerColumns::add_plain(const PlainAnswers& plain) {
  const std::size_t count = plain.items.size() / items_in(plain.kind);
  take_kind(plain.kind, count);
  items_.insert(items_.end(), plain.items.begin(), plain.items.end());
  if (!weights_.empty()) weights_.resize(size_ + count, weight_one);
  for (std::size_t t = 0; t < plain.participants.size(); ++t) {
    push_unless_usual(participants_, plain.participants[t], ParticipantId{0}, size_ + t);
  }
  size_ += count;
  if (!participants_.empty()) participants_.resize(size_, 0);
  if (!screens_.empty()) {
    screens_.resize(size_);
    std::iota(screens_.end() - static_cast<std::ptrdiff_t>(count), screens_.end(), screen_count_);
  }
  screen_count_ += static_cast<std::uint32_t>(count);
}

void AnswerColumns::renumber(const std::vector<ItemId>& items,
                             const std::vector<ParticipantId>& participants) {
  for (ItemId& item : items_) item = items[item];
  for (ParticipantId& participant : participants_) {
    if (participant != 0) participant = participants[participant];
  }
}

/// Makes room for all answers of the parts, with the columns that any of them needs.
void AnswerColumns::allocate(const std::vector<AnswerColumns>& parts) {
  bool one_kind = true;
  bool weighted = false;
  bool named = false;
  bool shared_screens = false;
  for (const AnswerColumns& part : parts) {
    if (part.size_ == 0) continue;
    if (size_ == 0) kind_ = part.kind_;
    if (part.quadruplets() != quadruplets()) refuse_mixture();
    one_kind = one_kind && part.of_one_kind() && part.kind_ == kind_;
    weighted = weighted || !part.weights_.empty();
    named = named || !part.participants_.empty();
    shared_screens = shared_screens || !part.screens_.empty();
    size_ += part.size_;
  }
  items_.resize(size_ * items_in(kind_));
  if (!one_kind) kinds_.resize(size_);
  if (weighted) weights_.resize(size_);
  if (named) participants_.resize(size_);
  if (shared_screens) screens_.resize(size_);
}

void AnswerColumns::put(std::size_t at, const AnswerColumns& part, std::size_t answer) {
  const std::size_t width = items_in(kind_);
  std::copy_n(part.items_.data() + answer * width, width, items_.data() + at * width);
  if (!kinds_.empty()) kinds_[at] = part.kind_of(answer);
  if (!weights_.empty()) weights_[at] = part.weight_of(answer);
  if (!participants_.empty()) participants_[at] = part.participant_of(answer);
  if (!screens_.empty()) screens_[at] = screen_count_ + part.screen_of(answer);
}

AnswerColumns AnswerColumns::in_order_of_first_item(std::vector<AnswerColumns> parts,
                                                    std::size_t items) {
  std::vector<std::size_t> next(items + 1, 0);
  for (const AnswerColumns& part : parts) {
    for (std::size_t t = 0; t < part.size_; ++t) ++next[part.items_of(t)[0] + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  AnswerColumns all;
  all.allocate(parts);
  for (AnswerColumns& part : parts) {
    for (std::size_t t = 0; t < part.size_; ++t) all.put(next[part.items_of(t)[0]]++, part, t);
    all.screen_count_ += part.screen_count_;
    part = {};
  }
  return all;
}

AnswerColumns AnswerColumns::with_rows(const std::vector<std::uint32_t>& row_of) const {
  AnswerColumns kept;
  kept.screen_count_ = screen_count_;
  kept.items_.reserve(items_.size());
  for (std::size_t t = 0; t < size_; ++t) {
    Answer answer = (*this)[t];
    const auto items = std::span(answer.items).first(items_in(answer.kind));
    for (ItemId& item : items) item = row_of[item];
    if (std::ranges::find(items, no_row) != items.end()) continue;
    kept.push(answer);
    if (!screens_.empty()) kept.screens_.push_back(answer.screen);
  }
  return kept;
}

}  // namespace tertium::internal
