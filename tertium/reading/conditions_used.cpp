#include "tertium/reading/conditions_used.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/core/similar_names.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

std::string quoted_list(const std::vector<std::string>& values) {
  std::vector<std::string> quoted;
  for (const std::string& value : values) {
    if (quoted.size() == 10) {
      quoted.push_back(fmt::format("... ({} in all)", values.size()));
      break;
    }
    quoted.push_back(in_quotes(value));
  }
  return fmt::format("{}", fmt::join(quoted, ", "));
}

}  // namespace

void ConditionsUsed::begin_table(const Table& table, const Binding& binding) {
  if (!conditions_.empty()) return;
  file_ = table.file;
  conditions_ = binding.conditions;
  for (const BoundCondition& bound : conditions_) {
    used_.emplace_back(bound.condition);
    columns_.push_back(table.columns[bound.column]);
  }
}

void ConditionsUsed::add(const std::vector<ConditionUse>& found) {
  for (std::size_t i = 0; i < found.size(); ++i) used_[i].add(found[i]);
}

void ConditionsUsed::report(ReadReport& report) const {
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    const auto& [condition, column, excludes] = conditions_[i];
    const std::vector<std::string> missing = used_[i].nowhere(condition);
    if (missing.empty()) continue;
    const std::vector<std::string> others = used_[i].others();
    const std::string there = others.empty()
                                  ? std::string("it has no other values")
                                  : fmt::format("some of its values: {}", quoted_list(others));
    const bool keeps_nothing = !excludes && !used_[i].ever_held();
    if (keeps_nothing) {
      throw InputError(
          {{file_},
           fmt::format("{}, and no such row", printable(condition.text)),
           fmt::format("a value of the column {} ({})", in_quotes(columns_[i]), there),
           condition.values.empty() ? "" : did_you_mean(similar_names(missing[0], others))});
    }
    report.notes.push_back(
        condition.values.empty()
            ? fmt::format("{}: no such row ({})", printable(condition.text), there)
            : fmt::format("{}: no row has {} in the column {} ({})", printable(condition.text),
                          quoted_list(missing), in_quotes(columns_[i]), there));
  }
}

}  // namespace tertium::internal
