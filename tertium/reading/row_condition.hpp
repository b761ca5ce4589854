#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tertium/read.hpp"

namespace tertium::internal {

/// A condition on the cell of one column, as `--where` and `--exclude` write it:
///
///   COLUMN=a,b     the cell is one of the values (also as numbers: 1 is 1.0); an empty list: empty
///   COLUMN!=a,b    it is none of them
///   COLUMN<5  <=  >  >=   the cell is a number, and this one's neighbour
///   COLUMN~im*.png like the pattern: * is anything, ? one character, upper and lower case alike
///
/// A value with a comma is put in double quotes.
struct RowCondition {
  enum class Test : std::uint8_t { among, not_among, less, at_most, greater, at_least, like };

  std::string text;  // as it was written, with its flag
  std::string column;
  Test test = Test::among;
  std::vector<std::string> values;  // of a list
  double number = 0;                // to compare with
  std::string pattern;              // lower case

  [[nodiscard]] bool holds(std::string_view cell) const;

  /// Which of the values a cell is; their number if it is none.
  [[nodiscard]] std::size_t value_of(std::string_view cell) const;

  void add_value(std::string value);

 private:
  std::unordered_map<std::string, std::size_t> places_;  // of the values, integers as integers
};

/// Throws InputError that names `flag` if the text is no condition.
RowCondition parse_condition(const std::string& text, std::string_view flag);

/// A condition on a column of a table: rows where it does not hold are left out, or where it does.
struct BoundCondition {
  RowCondition condition;
  std::size_t column = 0;
  bool excludes = false;
};

/// What a condition found in the rows: a value that is nowhere was probably mistyped.
class ConditionUse {
 public:
  explicit ConditionUse(const RowCondition& condition);

  /// Whether the condition holds for the cell in this line.
  bool look_at(const RowCondition& condition, std::string_view cell, std::uint64_t line);

  void add(const ConditionUse& other);

  /// The values that no row has; of conditions without a list their text, if it never held.
  [[nodiscard]] std::vector<std::string> nowhere(const RowCondition& condition) const;
  [[nodiscard]] bool ever_held() const { return ever_held_; }
  /// Some of the values that the rows have, in the order of the rows.
  [[nodiscard]] std::vector<std::string> others() const;

 private:
  void remember(std::string_view cell, std::uint64_t line);

  bool ever_held_ = false;
  std::vector<bool> seen_;  // of the values
  std::size_t missing_ = 0;
  std::vector<std::pair<std::uint64_t, std::string>> others_;  // with their first line
};

}  // namespace tertium::internal
