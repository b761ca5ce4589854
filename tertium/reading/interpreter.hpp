#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/read.hpp"
#include "tertium/reading/answer_coding.hpp"
#include "tertium/reading/binding.hpp"
#include "tertium/reading/item_list.hpp"
#include "tertium/reading/layout.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {

/// What one interpreter found in its rows.
struct Findings {
  RowCounts counts;
  std::uint64_t self_comparisons = 0;
  std::vector<Place> self_comparison_places;
  std::vector<std::pair<Place, std::string>> bad_rows;
  std::string first_sentence;
  std::vector<ConditionUse> conditions;  // of each of the binding
};

/// Turns rows with named cells into answers, one row at a time, as a binding says.
///
/// How the answer column names an option (by item, 0/1, 1/2, left/right, ...) is found by
/// excluding: rows are held back until only one coding fits all of them; `finish` refuses a table
/// whose answers fit several.
class Interpreter {
 public:
  Interpreter(Table table, Binding binding, ItemResolver resolver, bool skip_bad_rows,
              AnswerSink& sink);

  /// Interprets one row. Throws InputError for a bad row unless bad rows are skipped.
  void row(const Row& row);

  /// A row whose cells could not be told apart.
  void unreadable_row(const InputError& error);

  /// After the last row. Throws InputError if the meaning of the answer column stayed open.
  void finish();

  /// No row is held back: rows can go to copies of this interpreter in any order.
  [[nodiscard]] bool settled() const { return held_back_.empty() && (!needs_coding_ || coding_); }

  /// The first answer was put into words: rows may now be read by other means.
  [[nodiscard]] bool has_echoed() const { return has_echoed_; }

  /// A copy for another thread, with nothing found yet.
  [[nodiscard]] Interpreter fork(AnswerSink& sink) const;

  /// The answers are ids in fixed columns with nothing else to look at: these columns in the order
  /// of Answer::items. Empty if not.
  [[nodiscard]] std::vector<std::size_t> plain_columns() const;
  /// Column with the participant, if the table has one and the sink wants to know.
  [[nodiscard]] std::optional<std::size_t> participant_column() const;
  /// The table tells where the picked option stood, and the sink wants to know.
  [[nodiscard]] bool needs_positions() const;
  [[nodiscard]] QuestionKind question_kind() const;

  /// For rows read by other means: the item of an id, and the books. `check_item` throws as
  /// `resolve` would, and adds nothing.
  void check_item(std::string_view cell) const { resolver_.check(cell); }
  ItemId resolve(std::string_view cell);
  ParticipantId participant(std::string_view cell);
  void count_plain_rows(std::uint64_t rows);

  [[nodiscard]] const Findings& findings() const { return findings_; }
  [[nodiscard]] std::optional<AnswerCoding> coding() const { return coding_; }
  [[nodiscard]] const Table& table() const { return table_; }
  [[nodiscard]] const Binding& binding() const { return binding_; }
  AnswerSink& sink() { return *sink_; }

 private:
  struct HeldRow {
    std::uint64_t line = 0;
    std::uint64_t number = 0;
    std::vector<std::string> cells;  // of the columns that are looked at
  };

  void nothing_found();
  void interpret(const Row& row);
  void bad_row(const InputError& error);
  bool skipped(const Row& row);
  bool collect_options(const Row& row);
  bool collect_list(const Row& row);
  void collect_anchor(const Row& row);
  bool read_answer(const Row& row, std::vector<std::string>& values);
  void narrow_coding(const Row& row, const std::vector<std::string>& values);
  void put_back(const HeldRow& held, Row& row) const;
  void release_held_rows();
  void answer(const Row& row, const std::vector<std::string>& values);
  void vote(const Row& row);
  void check_items(const Row& row) const;
  void emit(const Row& row, const std::vector<std::size_t>& picks, Weight weight);
  void emit_one(const Row& row, const Answer& answer);
  void hand_over();
  [[nodiscard]] bool has_anchor() const { return binding_.anchor || binding_.shown_places; }
  [[nodiscard]] Weight weight_in(const Row& row, std::optional<std::size_t> column) const;
  [[nodiscard]] Place place(const Row& row, std::optional<std::size_t> column = {}) const;
  [[noreturn]] void refuse(const Row& row, std::optional<std::size_t> column, std::string found,
                           std::string expected, std::string remedy = "") const;

  Table table_;
  Binding binding_;
  ItemResolver resolver_;
  bool skip_bad_rows_;
  AnswerSink* sink_;

  bool needs_coding_ = false;
  std::optional<AnswerCoding> coding_;
  std::bitset<answer_codings> possible_codings_;
  std::vector<HeldRow> held_back_;
  std::vector<std::size_t> used_columns_;

  std::string anchor_;         // in the current row, if the question has one
  OptionsShown shown_;         // in the current row
  std::vector<Answer> given_;  // in the current row, which is one screen
  std::vector<Answer> handed_over_;
  std::uint64_t row_number_ = 0;
  bool has_echoed_ = false;
  Findings findings_;
};

}  // namespace tertium::internal
