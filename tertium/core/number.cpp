#include "tertium/core/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tertium::internal {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto point = text.find('.');
  if (point != std::string_view::npos) {
    const auto fraction = text.substr(point + 1);
    if (point == 0 || fraction.find_first_not_of('0') != std::string_view::npos) return {};
    text = text.substr(0, point);
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 9> words = {"",    "NA",   "N/A",  "n/a", "NaN",
                                                     "nan", "null", "NULL", "None"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

}  // namespace tertium::internal
