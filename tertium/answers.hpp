#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tertium {

/// Number of an item inside one ItemTable, in the order in which items were added.
using ItemId = std::uint32_t;

/// The items of a run and their names. Every name occurs once.
class ItemTable {
 public:
  /// The item with this name; added if it is new.
  ItemId add(std::string_view name);

  /// Keeps ids for the numbers 0 .. count-1, in this order, before it is known which of them are
  /// items: numbers then have ids in increasing order, which is the order of rows in the end. They
  /// become items by `add`.
  void reserve_numbers(std::uint32_t count);

  [[nodiscard]] std::uint32_t reserved_numbers() const { return reserved_numbers_; }

  /// An id for this name, which becomes an item only by `add`.
  ItemId reserve(std::string_view name);

  /// False for a reserved name that was never added.
  [[nodiscard]] bool is_item(ItemId id) const { return !reserved_[id]; }

  [[nodiscard]] const std::string& name(ItemId item) const { return names_[item]; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Number of ids, reserved ones included.
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> names_;
  std::vector<bool> reserved_;
  std::unordered_map<std::string, ItemId, Hash, std::equal_to<>> by_name_;
  std::uint32_t reserved_numbers_ = 0;
};

/// The order of rows in every output: integers by value, then other names, with the numbers inside
/// names compared as numbers ("item2" before "item10").
bool item_name_less(std::string_view a, std::string_view b);

/// What was asked. The items of an Answer mean, in order:
///   triplet       anchor, near, far:       anchor is more like near than like far
///   quadruplet    i, j, r, s:              i and j are more alike than r and s
///   odd_one_out   a, b, odd:               a and b belong together, odd does not
///   most_central  central, other, other:   central lies between the others
enum class QuestionKind : std::uint8_t { triplet, quadruplet, odd_one_out, most_central };

std::string_view to_string(QuestionKind kind);

/// Weights are kept as whole millionths, so that sums are exact and do not depend on their order.
using Weight = std::int64_t;
inline constexpr Weight weight_one = 1'000'000;
inline constexpr int weight_decimals = 6;

/// Number of a participant in the ReadReport; 0 when the file names none.
using ParticipantId = std::uint32_t;

/// One answered question, items by their number in the ItemTable of the reader's sink.
struct Answer {
  QuestionKind kind = QuestionKind::triplet;
  std::array<ItemId, 4> items{};
  std::uint32_t screen = 0;  // the same for all answers that follow from one response
  Weight weight = weight_one;
  ParticipantId participant = 0;
  std::uint8_t position = 0;   // which of the options shown was picked, from 1; 0: not known
  std::uint8_t positions = 0;  // how many options were shown; 0: not known
};

/// Number of items that a question of this kind shows.
constexpr std::size_t items_in(QuestionKind kind) {
  return kind == QuestionKind::quadruplet ? 4 : 3;
}

/// Number of triplets or quadruplets that an answer of this kind gives.
constexpr std::size_t comparisons_in(QuestionKind kind) {
  return kind == QuestionKind::odd_one_out || kind == QuestionKind::most_central ? 2 : 1;
}

/// What a participant was asked to do on one screen, as `--kind` names it. One screen and one
/// response are one piece of evidence, whatever number of comparisons follows from it.
enum class ScreenKind : std::uint8_t {
  triplets,
  quadruplets,
  odd_one_out,
  most_central,
  ranking,  // every earlier option is nearer to the anchor than every later one
  grid      // every chosen option is nearer to the anchor than every option not chosen
};

std::string_view to_string(ScreenKind kind);
std::optional<ScreenKind> parse_screen_kind(std::string_view text);

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

/// What to do with questions that were answered several times.
enum class Repeats : std::uint8_t {
  sum,      // every answer is evidence
  once,     // the set of different answers, as in the paper: each counts once, whatever its weight
  majority  // the answer with most weight counts once; an equal split counts as a tie
};

std::string_view to_string(Repeats repeats);

/// A sink that keeps all answers, for what cannot be done in one pass. Screens are numbered from 0,
/// in the order in which they come.
class StoredAnswers : public AnswerSink {
 public:
  void add(const Answer& answer) override { add_screen({&answer, 1}); }
  void add_screen(std::span<const Answer> answers) override;
  void add_plain(const PlainAnswers& plain) override;
  [[nodiscard]] AnswerDetail detail() const override { return AnswerDetail::everything; }

  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] std::vector<Answer> take_answers() { return std::move(answers_); }

 private:
  std::vector<Answer> answers_;
  std::uint32_t screens_ = 0;
};

}  // namespace tertium
