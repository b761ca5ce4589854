#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tertium/reading/layout.hpp"

namespace tertium {

/// How files of answers are to be understood. Everything is found from the file where it can be;
/// each field overrides what would be found. Columns are given by name (case and punctuation do not
/// matter) or by number, counted from 1.
struct ReadOptions {
  std::optional<std::string> anchor;       // column with the item that was compared
  std::optional<std::string> near;         // column with the item that is nearer
  std::optional<std::string> far;          // column with the item that is farther
  std::optional<std::string> option1;      // first option shown
  std::optional<std::string> option2;      // second option shown
  std::optional<std::string> option3;      // third option shown (odd-one-out, most-central)
  std::optional<std::string> answer;       // column that says which option was picked
  std::optional<std::string> odd;          // "first", "last" or the column that names the odd item
  std::optional<std::string> participant;  // column with the participant
  std::optional<std::string> weight;       // column with a weight or number of votes, >= 0
  std::optional<ScreenKind> kind;          // what was asked
  std::optional<AnswerCoding> answer_values;  // how the answer column names an option
  std::optional<bool> picks_different;        // the answer names the pair that differs more
  std::vector<std::pair<std::string, std::string>> where;  // keep rows with column == value only
  std::optional<int> ids_from;    // 0 or 1: items are numbers counted from here
  std::optional<bool> header;     // the first row names the columns
  std::optional<char> separator;  // between cells; ' ' stands for any blanks

  std::string items_file;                // list of items; empty: items are those mentioned
  std::optional<std::string> item_name;  // its column with the names
  bool add_unknown_items = false;        // items that are not on the list: add them, else refuse

  bool skip_bad_rows = false;  // go on after a bad row and count it
};

/// The flag of some field that is set, "" if none is: for inputs to which no such field applies.
std::string some_flag_set(const ReadOptions& options);

/// Throws InputError if fields contradict each other, naming the flags.
void validate(const ReadOptions& options);

}  // namespace tertium
