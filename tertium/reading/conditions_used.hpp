#pragma once

#include <vector>

#include "tertium/read.hpp"
#include "tertium/reading/binding.hpp"
#include "tertium/reading/row.hpp"

namespace tertium::internal {

/// What the conditions on rows found in all tables of the input.
class ConditionsUsed {
 public:
  /// What is added next is from this table. All tables have the same conditions.
  void begin_table(const Table& table, const Binding& binding);
  void add(const std::vector<ConditionUse>& found);

  /// Throws InputError if a condition keeps nothing since no row has the value that it names; notes
  /// the other values that no row has. Both say which values there are.
  void report(ReadReport& report) const;

 private:
  std::string file_;
  std::vector<BoundCondition> conditions_;
  std::vector<std::string> columns_;  // of each condition, by name
  std::vector<ConditionUse> used_;
};

}  // namespace tertium::internal
