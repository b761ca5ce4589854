#include "tertium/reading/row_condition.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

using Test = RowCondition::Test;

constexpr std::size_t values_kept = 10;  // to be listed in a message

/// Longer signs stand before those that they begin with.
constexpr std::array<std::pair<std::string_view, Test>, 7> signs = {{{"!=", Test::not_among},
                                                                     {"<=", Test::at_most},
                                                                     {">=", Test::at_least},
                                                                     {"=", Test::among},
                                                                     {"<", Test::less},
                                                                     {">", Test::greater},
                                                                     {"~", Test::like}}};

/// 1 and 1.0 are the same.
std::string plain(std::string_view value) {
  const auto number = parse_integer(value);
  return number ? std::to_string(*number) : std::string(value);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// The values of a list; a part in double quotes may hold commas.
std::vector<std::string> listed_values(std::string_view text) {
  std::vector<std::string> values;
  while (true) {
    text = trimmed(text);
    const auto closing = text.starts_with('"') ? text.find('"', 1) : std::string_view::npos;
    const auto rest = closing == std::string_view::npos ? text : trimmed(text.substr(closing + 1));
    const bool quoted = closing != std::string_view::npos && (rest.empty() || rest[0] == ',');
    const auto end = quoted ? text.find(',', closing) : text.find(',');
    values.emplace_back(quoted ? text.substr(1, closing - 1) : trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return values;
    text.remove_prefix(end + 1);
  }
}

/// Goes back to the last star at most once for every character: no pattern takes long.
bool is_like(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t wanted = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (at < text.size()) {
    if (wanted < pattern.size() && pattern[wanted] == '*') {
      star = wanted++;
      resume = at;
    } else if (wanted < pattern.size() && (pattern[wanted] == '?' || pattern[wanted] == text[at])) {
      // One character may have several bytes.
      const bool any = pattern[wanted] == '?';
      ++at;
      while (any && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
        ++at;
      }
      ++wanted;
    } else if (star != std::string_view::npos) {
      wanted = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (wanted < pattern.size() && pattern[wanted] == '*') ++wanted;
  return wanted == pattern.size();
}

}  // namespace

void RowCondition::add_value(std::string value) {
  places_.emplace(plain(value), values.size());
  values.push_back(std::move(value));
}

std::size_t RowCondition::value_of(std::string_view cell) const {
  const auto found = places_.find(plain(cell));
  return found == places_.end() ? values.size() : found->second;
}

bool RowCondition::holds(std::string_view cell) const {
  switch (test) {
    case Test::among:
      return value_of(cell) < values.size();
    case Test::not_among:
      return value_of(cell) == values.size();
    case Test::like:
      return is_like(lower_case(cell), pattern);
    case Test::less:
    case Test::at_most:
    case Test::greater:
    case Test::at_least:
      break;
  }
  const auto value = parse_number(with_decimal_point(cell));
  if (!value) return false;
  return test == Test::less      ? *value < number
         : test == Test::at_most ? *value <= number
         : test == Test::greater ? *value > number
                                 : *value >= number;
}

RowCondition parse_condition(const std::string& text, std::string_view flag) {
  const auto refuse = [&](std::string expected) {
    throw InputError({{}, fmt::format("{} {}", flag, in_quotes(text)), std::move(expected), ""});
  };
  const auto at = text.find_first_of("!<>=~");
  const auto* const sign = std::find_if(signs.begin(), signs.end(), [&](const auto& candidate) {
    return at != std::string::npos && text.substr(at).starts_with(candidate.first);
  });
  RowCondition condition;
  condition.text = fmt::format("{} {}", flag, text);
  if (at != std::string::npos) condition.column = trimmed(text.substr(0, at));
  if (sign == signs.end() || condition.column.empty()) {
    refuse("COLUMN=VALUE, or !=, <, <=, >, >= or ~ in place of =");
  }
  const std::string value(trimmed(std::string_view(text).substr(at + sign->first.size())));
  condition.test = sign->second;
  switch (condition.test) {
    case Test::among:
    case Test::not_among:
      for (std::string& listed : listed_values(value)) condition.add_value(std::move(listed));
      break;
    case Test::like:
      if (value.empty()) refuse("a pattern after ~, such as *.png");
      condition.pattern = lower_case(value);
      break;
    case Test::less:
    case Test::at_most:
    case Test::greater:
    case Test::at_least: {
      const auto number = parse_number(value);
      if (!number) refuse(fmt::format("a number after {}", sign->first));
      condition.number = *number;
    }
  }
  return condition;
}

ConditionUse::ConditionUse(const RowCondition& condition)
    : seen_(condition.values.size()), missing_(std::max<std::size_t>(1, seen_.size())) {}

bool ConditionUse::look_at(const RowCondition& condition, std::string_view cell,
                           std::uint64_t line) {
  const bool holds = condition.holds(cell);
  ever_held_ = ever_held_ || holds;
  if (missing_ == 0) return holds;
  if (seen_.empty()) {
    if (holds) {
      missing_ = 0;
    } else {
      remember(cell, line);
    }
    return holds;
  }
  const std::size_t value = condition.value_of(cell);
  if (value == seen_.size()) {
    remember(cell, line);
  } else if (!seen_[value]) {
    seen_[value] = true;
    --missing_;
  }
  return holds;
}

/// Every thread sees its lines in order: the first values of all are among the first of each.
void ConditionUse::remember(std::string_view cell, std::uint64_t line) {
  if (others_.size() >= values_kept) return;
  const bool known = std::any_of(others_.begin(), others_.end(),
                                 [&](const auto& other) { return other.second == cell; });
  if (!known) others_.emplace_back(line, cell);
}

void ConditionUse::add(const ConditionUse& other) {
  ever_held_ = ever_held_ || other.ever_held_;
  for (std::size_t i = 0; i < seen_.size(); ++i) seen_[i] = seen_[i] || other.seen_[i];
  missing_ = seen_.empty()
                 ? std::min(missing_, other.missing_)
                 : static_cast<std::size_t>(std::count(seen_.begin(), seen_.end(), false));
  for (const auto& theirs : other.others_) {
    const auto known = std::find_if(others_.begin(), others_.end(),
                                    [&](const auto& mine) { return mine.second == theirs.second; });
    if (known == others_.end()) {
      others_.push_back(theirs);
    } else {
      known->first = std::min(known->first, theirs.first);
    }
  }
  std::sort(others_.begin(), others_.end());
  if (others_.size() > values_kept) others_.resize(values_kept);
}

std::vector<std::string> ConditionUse::nowhere(const RowCondition& condition) const {
  if (seen_.empty()) return ever_held_ ? std::vector<std::string>{} : std::vector{condition.text};
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (!seen_[i]) missing.push_back(condition.values[i]);
  }
  return missing;
}

std::vector<std::string> ConditionUse::others() const {
  std::vector<std::string> values;
  for (const auto& [line, value] : others_) values.push_back(value);
  return values;
}

}  // namespace tertium::internal
