#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/reading/interpreter.hpp"

namespace tertium::internal {

/// The quick way for the most common large file: rows of plain integers, one question per row.
///
/// Reads the rows that are nothing but integers of up to seven digits in the columns of items, and
/// plain text in that of the participant, and hands them to the interpreter's sink in batches. It
/// stops at the first row that is anything else, for the interpreter to look at; the outcome is the
/// same as if the interpreter had read every row.
class IntegerRows {
 public:
  /// `interpreter` must stay alive; `usable()` is false if its answers are not plain columns.
  IntegerRows(Interpreter& interpreter, char separator);

  [[nodiscard]] bool usable() const { return usable_; }

  struct Progress {
    std::size_t bytes = 0;
    std::uint64_t rows = 0;
  };

  /// Reads rows from the start of `text`; returns how far it came.
  Progress read(std::string_view text);

 private:
  template <std::size_t width, bool every_column>
  Progress scan(std::string_view text);

  ParticipantId participant(std::string_view cell);

  bool add_items(std::span<const std::uint32_t> numbers, ItemId* items);

  Interpreter& interpreter_;
  char separator_;
  bool usable_ = false;
  QuestionKind kind_ = QuestionKind::triplet;
  bool named_ = false;                // participants are wanted
  std::vector<int> place_of_column_;  // where a column goes in Answer::items, or one of the below
  std::vector<ItemId> item_of_number_;
  std::vector<ItemId> batch_;
  std::vector<ParticipantId> participants_;  // of the batch
  std::string last_cell_;                    // of a participant
  ParticipantId last_participant_ = 0;
};

}  // namespace tertium::internal
