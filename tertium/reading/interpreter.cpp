#include "tertium/reading/interpreter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/screen.hpp"
#include "tertium/core/name_list.hpp"
#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/item_name.hpp"
#include "tertium/reading/json_records.hpp"
#include "tertium/reading/normalised_name.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view true_words = "true 1 yes t y";
constexpr std::int64_t most_reserved_numbers = 1 << 20;
constexpr double largest_weight = 1e9;
constexpr double smallest_weight = 1e-6;
/// A ranking of so many options gives 32,640 comparisons; more of them in one row are a mistake.
constexpr std::size_t most_options = 256;

template <class T>
void keep_place(std::vector<T>& places, T place) {
  if (places.size() < places_kept) places.push_back(std::move(place));
}

}  // namespace

Interpreter::Interpreter(Table table, Binding binding, ItemResolver resolver, bool skip_bad_rows,
                         AnswerSink& sink)
    : table_(std::move(table)),
      binding_(std::move(binding)),
      resolver_(resolver),
      skip_bad_rows_(skip_bad_rows),
      sink_(&sink),
      needs_coding_(binding_.answer.has_value()),
      coding_(binding_.coding),
      used_columns_(columns_used(binding_)) {
  possible_codings_.set();
  nothing_found();
  shown_.pairs = binding_.kind == ScreenKind::quadruplets;
  if (!table_.has_header) return;
  for (const std::size_t column : binding_.options) {
    shown_.column_names.push_back(table_.columns[column]);
  }
}

Interpreter Interpreter::fork(AnswerSink& sink) const {
  Interpreter copy = *this;
  copy.sink_ = &sink;
  copy.nothing_found();
  return copy;
}

void Interpreter::nothing_found() {
  findings_ = {};
  for (const BoundCondition& bound : binding_.conditions) {
    findings_.conditions.emplace_back(bound.condition);
  }
}

Place Interpreter::place(const Row& row, std::optional<std::size_t> column) const {
  Place found{table_.file, row.line, 0, "", table_.unit};
  if (column) {
    found.column = *column + 1;
    if (table_.has_header) found.column_name = table_.columns[*column];
  }
  return found;
}

void Interpreter::refuse(const Row& row, std::optional<std::size_t> column, std::string found,
                         std::string expected, std::string remedy) const {
  throw InputError({place(row, column), std::move(found), std::move(expected), std::move(remedy)});
}

void Interpreter::row(const Row& row) {
  ++findings_.counts.rows;
  ++row_number_;
  try {
    interpret(row);
  } catch (const InputError& error) {
    if (!error.parts().place.file.empty()) {
      bad_row(error);
      return;
    }
    // From the sink: not this row is bad, nothing more can be taken.
    InputError::Parts parts = error.parts();
    parts.place = place(row);
    throw InputError(parts);
  }
}

void Interpreter::unreadable_row(const InputError& error) {
  ++findings_.counts.rows;
  ++row_number_;
  bad_row(error);
}

void Interpreter::bad_row(const InputError& error) {
  if (!skip_bad_rows_) throw InputError(error);
  ++findings_.counts.bad;
  keep_place(findings_.bad_rows, std::pair(error.parts().place, std::string(error.what())));
}

void Interpreter::interpret(const Row& row) {
  if (row.cells.size() != table_.columns.size()) {
    refuse(row, {}, fmt::format("{} cells", row.cells.size()),
           fmt::format("{} cells", table_.columns.size()),
           row.cells.size() < table_.columns.size() ? "Is the row cut off?" : "");
  }
  for (std::size_t i = 0; i < row.cells.size() && !table_.is_utf8; ++i) {
    if (find_invalid_utf8(row.cells[i])) {
      refuse(row, i, in_quotes(row.cells[i]), "UTF-8 text",
             "Convert the file, for example: iconv -f latin1 -t utf8");
    }
  }
  if (skipped(row)) return;
  if (!collect_options(row)) {
    ++findings_.counts.not_questions;
    return;
  }
  check_items(row);
  if (!binding_.votes.empty()) {
    vote(row);
    return;
  }
  if (binding_.picked) {
    emit(row, {*binding_.picked}, weight_in(row, binding_.weight));
    hand_over();
    return;
  }
  std::vector<std::string> values;
  if (!read_answer(row, values)) return;
  if (coding_) {
    answer(row, values);
  } else {
    narrow_coding(row, values);
  }
}

/// Rows that are left out on purpose.
bool Interpreter::skipped(const Row& row) {
  bool left_out = false;
  for (std::size_t i = 0; i < binding_.conditions.size(); ++i) {
    const auto& [condition, column, excludes] = binding_.conditions[i];
    const bool holds = findings_.conditions[i].look_at(condition, row.cells[column], row.line);
    left_out = left_out || holds == excludes;
  }
  if (left_out) {
    ++findings_.counts.filtered;
    return true;
  }
  if (binding_.catch_trial &&
      position_in(true_words, normalised_name(row.cells[*binding_.catch_trial])) > 0) {
    ++findings_.counts.catch_trials;
    return true;
  }
  return false;
}

/// The options shown; false if the row is no question (sessions are exported with all their
/// screens).
bool Interpreter::collect_options(const Row& row) {
  shown_.items.clear();
  anchor_.clear();
  for (const std::size_t column : binding_.options) {
    shown_.items.push_back(item_in(row.cells[column]));
  }
  if (binding_.list && !collect_list(row)) return false;
  if (binding_.anchor) collect_anchor(row);
  const auto missing = [](std::string_view name) { return is_missing(trimmed(name)); };
  const bool no_options = std::all_of(shown_.items.begin(), shown_.items.end(), missing);
  return !no_options || (has_anchor() && !missing(anchor_));
}

/// The options in a list, and the anchor if it is one of them.
bool Interpreter::collect_list(const Row& row) {
  const std::string_view cell = row.cells[*binding_.list];
  std::vector<std::string> listed;
  // Beside an anchor any number of options can be joined; alone, three items.
  if (!items_listed(cell, binding_.anchor ? 0 : 3, listed)) {
    if (cell.starts_with('[')) refuse(row, binding_.list, in_quotes(cell), "a complete list");
    return false;
  }
  // Choices on a page of text are buttons that lead on, not items.
  if (binding_.anchor && is_prose(row.cells[*binding_.anchor]) &&
      std::all_of(listed.begin(), listed.end(), is_button)) {
    return false;
  }
  if (binding_.shown_places) {
    if (listed.size() != binding_.shown_places->size()) {
      refuse(row, binding_.list, fmt::format("{} pictures", listed.size()),
             "three, in the order of --shown");
    }
    const auto& [anchor, first, second] = *binding_.shown_places;
    anchor_ = listed[anchor];
    shown_.items = {listed[first], listed[second]};
    return true;
  }
  std::move(listed.begin(), listed.end(), std::back_inserter(shown_.items));
  return shown_.items.size() >= 2;
}

/// The anchor in its column. Several items there are another kind of question than the columns
/// say: which one is asked for.
void Interpreter::collect_anchor(const Row& row) {
  const std::string_view cell = row.cells[*binding_.anchor];
  std::vector<std::string> several;
  const bool may_be_joined = binding_.list && shown_.items.size() == 3;
  const bool may_list = cell.starts_with('[') || has_markup(cell) || may_be_joined;
  if (may_list && items_listed(cell, 3, several) && several.size() > 1) {
    const bool three_picked = several.size() == 3 && shown_.items.size() == 3;
    refuse(row, binding_.anchor,
           fmt::format("{} items ({}) and {} choices ({})", several.size(), name_list(several),
                       shown_.items.size(), name_list(shown_.items)),
           three_picked ? "to be told what picking one of them meant"
                        : "to be told which of them is the anchor, and which are the options",
           three_picked ? "Add --kind odd-one-out or --kind most-central"
                        : "Add --shown anchor,option1,option2, in the order of the items");
  }
  anchor_ = item_in(cell);
}

/// Refuses the row if an item is missing or not allowed, before anything of it is used.
void Interpreter::check_items(const Row& row) const {
  const auto check = [&](std::string_view name, std::optional<std::size_t> column) {
    if (name.empty()) refuse(row, column, "an empty cell", "an item", "Is the row cut off?");
    if (is_missing(name))
      refuse(row, column, in_quotes(name) + ", which means no value", "an item");
    try {
      resolver_.check(name);
    } catch (const InputError& error) {
      const auto& parts = error.parts();
      refuse(row, column, parts.found, parts.expected, parts.remedy);
    }
  };
  if (shown_.items.size() > most_options) {
    refuse(row, binding_.list, fmt::format("{} options in one row", shown_.items.size()),
           fmt::format("at most {}", most_options));
  }
  const bool of_three =
      binding_.kind == ScreenKind::odd_one_out || binding_.kind == ScreenKind::most_central;
  if (of_three && shown_.items.size() != 3) {
    refuse(row, binding_.list, fmt::format("{} items", shown_.items.size()), "three items");
  }
  if (has_anchor()) check(anchor_, binding_.anchor ? binding_.anchor : binding_.list);
  for (std::size_t i = 0; i < shown_.items.size(); ++i) {
    check(shown_.items[i], i < binding_.options.size() ? binding_.options[i] : *binding_.list);
  }
}

/// The values in the answer cell: one, or a list where several options can be picked. False if
/// there is no answer.
bool Interpreter::read_answer(const Row& row, std::vector<std::string>& values) {
  const std::string_view cell = row.cells[*binding_.answer];
  const bool several = binding_.kind == ScreenKind::ranking || binding_.kind == ScreenKind::grid;
  if (is_missing(cell)) {
    ++findings_.counts.unanswered;
    return false;
  }
  if (several && cell.starts_with('[')) {
    if (!parse_list(cell, values)) {
      refuse(row, binding_.answer, in_quotes(cell), "a complete list of the options chosen");
    }
    if (values.empty()) {
      ++findings_.counts.unanswered;
      return false;
    }
    for (std::string& value : values) value = item_in(value);
    return true;
  }
  if (is_tie(cell) && !decode_answer(cell, AnswerCoding::item, shown_)) {
    ++findings_.counts.ties;
    return false;
  }
  values.assign(1, has_markup(cell) ? item_in(cell) : composed(cell));
  return true;
}

/// Excludes the codings that do not fit this row. Once a single one is left, everything held back
/// is interpreted.
void Interpreter::narrow_coding(const Row& row, const std::vector<std::string>& values) {
  const std::bitset<answer_codings> fits = fitting_codings(values, shown_);
  if ((possible_codings_ & fits).none()) {
    refuse(
        row, binding_.answer, in_quotes(values[0]),
        fmt::format("one of the options ({}), their position or their column",
                    name_list(shown_.items)),
        "Name the right column with --answer, or say how it names an option with --answer-values");
  }
  possible_codings_ &= fits;
  if (possible_codings_.count() > 1) {
    HeldRow& held = held_back_.emplace_back(HeldRow{row.line, row_number_, {}});
    for (const std::size_t column : used_columns_) held.cells.emplace_back(row.cells[column]);
    return;
  }
  for (std::size_t i = 0; i < answer_codings; ++i) {
    if (possible_codings_[i]) coding_ = static_cast<AnswerCoding>(i);
  }
  release_held_rows();
  collect_options(row);
  answer(row, values);
}

/// Puts the cells of a row that was held back in their places; the others stay as they are.
void Interpreter::put_back(const HeldRow& held, Row& row) const {
  row.line = held.line;
  row.cells.resize(table_.columns.size());
  for (std::size_t i = 0; i < used_columns_.size(); ++i) {
    row.cells[used_columns_[i]] = held.cells[i];
  }
}

void Interpreter::release_held_rows() {
  const std::uint64_t current = row_number_;
  const auto rows = std::move(held_back_);
  held_back_.clear();
  Row row;
  for (const HeldRow& held : rows) {
    put_back(held, row);
    row_number_ = held.number;
    try {
      interpret(row);
    } catch (const InputError& error) {
      bad_row(error);
    }
  }
  row_number_ = current;
}

void Interpreter::finish() {
  if (held_back_.empty()) return;
  std::vector<std::string_view> left;
  for (std::size_t i = 0; i < answer_codings; ++i) {
    if (possible_codings_[i]) left.push_back(to_string(static_cast<AnswerCoding>(i)));
  }
  Row first;
  put_back(held_back_.front(), first);
  refuse(first, binding_.answer,
         fmt::format("{}, and in all rows only answers that can mean several things",
                     in_quotes(first.cells[*binding_.answer])),
         "to be told how the answers name an option",
         fmt::format("Add --answer-values {}", fmt::join(left, " or --answer-values ")));
}

void Interpreter::answer(const Row& row, const std::vector<std::string>& values) {
  std::vector<std::size_t> picks;
  for (const std::string& value : values) {
    const auto pick = decode_answer(value, *coding_, shown_);
    if (!pick) {
      refuse(row, binding_.answer, in_quotes(value),
             fmt::format("an answer of the form {} for the options {}", to_string(*coding_),
                         name_list(shown_.items)),
             "Say how answers name an option with --answer-values");
    }
    if (*pick == picked_none) {
      ++findings_.counts.ties;
      return;
    }
    if (std::find(picks.begin(), picks.end(), *pick) != picks.end()) {
      refuse(row, binding_.answer, fmt::format("{} twice", in_quotes(value)), "every option once");
    }
    picks.push_back(*pick);
  }
  emit(row, picks, weight_in(row, binding_.weight));
  hand_over();
}

void Interpreter::vote(const Row& row) {
  std::vector<Weight> votes;
  for (const std::size_t column : binding_.votes) votes.push_back(weight_in(row, column));
  if (std::all_of(votes.begin(), votes.end(), [](Weight w) { return w == 0; })) {
    ++findings_.counts.unanswered;
    return;
  }
  const std::uint64_t answered = findings_.counts.answered;
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (votes[i] > 0) emit(row, {i}, votes[i]);
  }
  findings_.counts.answered = answered + 1;
  hand_over();
}

Weight Interpreter::weight_in(const Row& row, std::optional<std::size_t> column) const {
  if (!column) return weight_one;
  const std::string cell = with_decimal_point(row.cells[*column]);
  const auto weight = parse_number(cell);
  if (!weight || !(*weight >= 0) || *weight > largest_weight) {
    refuse(row, column, in_quotes(cell), "a weight from 0 to 1e9");
  }
  if (*weight > 0 && *weight < smallest_weight) {
    refuse(row, column, in_quotes(cell), "a weight of 0, or of at least 0.000001",
           "Multiply all weights by the same number");
  }
  // Rounded, it would be another answer than the one that proofs are about.
  const auto decimal = parse_decimal(cell);
  const auto millionths = decimal ? in_units(*decimal, weight_decimals) : std::nullopt;
  if (!millionths) {
    refuse(row, column, in_quotes(cell), "a weight with at most 6 decimals",
           "Round the weights, or multiply all of them by the same number");
  }
  return *millionths;
}

/// Where nobody looks at the order of items, numbers get their ids in order, so that threads agree
/// on them and rows need no sorting in the end.
ItemId Interpreter::resolve(std::string_view cell) {
  if (sink_->detail() != AnswerDetail::everything && !resolver_.has_list()) {
    const auto number = parse_integer(cell);
    if (number && *number >= 0 && *number < most_reserved_numbers) {
      sink_->items.reserve_numbers(static_cast<std::uint32_t>(*number) + 1);
    }
  }
  return resolver_.resolve(cell, sink_->items);
}

ParticipantId Interpreter::participant(std::string_view cell) {
  return is_missing(cell) ? 0 : 1 + sink_->participants.add(cell);
}

/// Adds the answers of one response to those of the row.
void Interpreter::emit(const Row& row, const std::vector<std::size_t>& picks, Weight weight) {
  ++findings_.counts.answered;
  Screen screen{binding_.kind, 0, {}, picks, binding_.picks_different};
  if (has_anchor()) screen.anchor = resolve(anchor_);
  for (const std::string& name : shown_.items) screen.options.push_back(resolve(name));
  Answer answer;
  answer.weight = weight;
  if (binding_.participant) answer.participant = participant(row.cells[*binding_.participant]);
  if (!binding_.participant_name.empty())
    answer.participant = participant(binding_.participant_name);
  const bool one_pick = binding_.kind != ScreenKind::ranking && binding_.kind != ScreenKind::grid;
  const bool position_known = binding_.answer && one_pick && screen.options.size() < 256;
  if (position_known) {
    answer.position = static_cast<std::uint8_t>(picks[0] + 1);
    answer.positions = static_cast<std::uint8_t>(shown_.pairs ? 2 : screen.options.size());
  } else if (!binding_.shown.empty()) {
    const auto near = shown_.items[*binding_.picked];
    for (std::size_t i = 0; i < binding_.shown.size(); ++i) {
      if (same_item(item_in(row.cells[binding_.shown[i]]), near)) {
        answer.position = static_cast<std::uint8_t>(i + 1);
        answer.positions = 2;
      }
    }
  }
  for (const Answer& given : answers_given(screen, answer)) emit_one(row, given);
}

void Interpreter::emit_one(const Row& row, const Answer& answer) {
  if (compares_with_itself(answer.kind, answer.items)) {
    if (findings_.self_comparison_places.empty() ||
        findings_.self_comparison_places.back().line != row.line) {
      keep_place(findings_.self_comparison_places, place(row));
      ++findings_.self_comparisons;
    }
    return;
  }
  if (answer.weight == 0) return;
  if (!has_echoed_) {
    has_echoed_ = true;
    findings_.first_sentence =
        fmt::format("row {}: {}", row_number_, sentence(answer.kind, answer.items, sink_->items));
    if (!binding_.votes.empty()) {
      std::vector<std::string_view> votes;
      for (const std::size_t column : binding_.votes) votes.push_back(row.cells[column]);
      findings_.first_sentence += fmt::format(" (votes {})", fmt::join(votes, " to "));
    } else if (binding_.weight) {
      findings_.first_sentence += fmt::format(" (weight {})", row.cells[*binding_.weight]);
    }
  }
  findings_.counts.comparisons += comparisons_in(answer.kind);
  given_.push_back(answer);
}

/// Hands the answers of a row to the sink. None of them is left for the next row, even if the sink
/// refuses them.
void Interpreter::hand_over() {
  handed_over_.swap(given_);
  given_.clear();
  if (!handed_over_.empty()) sink_->add_screen(handed_over_);
}

QuestionKind Interpreter::question_kind() const {
  switch (binding_.kind) {
    case ScreenKind::quadruplets:
      return QuestionKind::quadruplet;
    case ScreenKind::odd_one_out:
      return QuestionKind::odd_one_out;
    case ScreenKind::most_central:
      return QuestionKind::most_central;
    case ScreenKind::triplets:
    case ScreenKind::ranking:
    case ScreenKind::grid:
      break;
  }
  return QuestionKind::triplet;
}

std::vector<std::size_t> Interpreter::plain_columns() const {
  const Binding& b = binding_;
  if (!b.picked || b.list || b.weight || b.catch_trial || !b.conditions.empty() ||
      !b.participant_name.empty()) {
    return {};
  }
  std::vector<std::size_t> columns = b.options;
  switch (b.kind) {
    case ScreenKind::triplets:
      if (columns.size() != 2 || *b.picked != 0) return {};
      columns.insert(columns.begin(), *b.anchor);
      return columns;
    case ScreenKind::odd_one_out:
      std::rotate(columns.begin() + static_cast<std::ptrdiff_t>(*b.picked),
                  columns.begin() + static_cast<std::ptrdiff_t>(*b.picked) + 1, columns.end());
      return columns;
    case ScreenKind::most_central:
    case ScreenKind::quadruplets:
      return *b.picked == 0 ? columns : std::vector<std::size_t>{};
    case ScreenKind::ranking:
    case ScreenKind::grid:
      break;
  }
  return {};
}

std::optional<std::size_t> Interpreter::participant_column() const {
  return sink_->detail() == AnswerDetail::sums ? std::nullopt : binding_.participant;
}

bool Interpreter::needs_positions() const {
  return sink_->detail() == AnswerDetail::everything &&
         (binding_.answer || !binding_.shown.empty());
}

void Interpreter::count_plain_rows(std::uint64_t rows) {
  findings_.counts.rows += rows;
  findings_.counts.answered += rows;
  findings_.counts.comparisons += rows * comparisons_in(question_kind());
  row_number_ += rows;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

RowCounts& RowCounts::operator+=(const RowCounts& other) {
  rows += other.rows;
  answered += other.answered;
  comparisons += other.comparisons;
  not_questions += other.not_questions;
  filtered += other.filtered;
  catch_trials += other.catch_trials;
  unanswered += other.unanswered;
  ties += other.ties;
  bad += other.bad;
  return *this;
}

}  // namespace tertium
