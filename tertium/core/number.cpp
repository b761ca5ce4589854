#include "tertium/core/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tertium::internal {

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.empty() || text[0] > '9') return {};  // most names: this is asked of every item
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto point = text.find('.');
  if (point != std::string_view::npos) {
    const auto fraction = text.substr(point + 1);
    if (fraction.find_first_of("eE") != std::string_view::npos) {
      const auto number = parse_decimal(text);
      return number ? in_units(*number, 0) : std::nullopt;
    }
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

std::optional<Decimal> parse_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  Decimal number;
  bool any = false;
  bool after_point = false;
  std::int64_t zeros = 0;  // seen since the last other digit
  std::int64_t places = 0;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !after_point) {
      after_point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    any = true;
    if (after_point) ++places;
    ++zeros;
    if (c == '0') continue;
    for (; zeros > 0; --zeros) {
      if (number.mantissa == 0) zeros = 1;  // in front of the first digit
      if (__builtin_mul_overflow(number.mantissa, std::int64_t{10}, &number.mantissa)) return {};
    }
    if (__builtin_add_overflow(number.mantissa, std::int64_t{c - '0'}, &number.mantissa)) return {};
  }
  if (!any) return {};
  std::int64_t exponent = 0;
  if (at < text.size()) {
    if (text[at] != 'e' && text[at] != 'E') return {};
    std::string_view power = text.substr(at + 1);
    if (power.size() > 1 && power[0] == '+' && power[1] != '-') power.remove_prefix(1);
    const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (error != std::errc{} || end != power.data() + power.size()) return {};
  }
  if (number.mantissa == 0) return Decimal{};
  constexpr std::int64_t largest_exponent = 1'000'000;
  if (exponent > largest_exponent || exponent < -largest_exponent) return {};
  exponent += zeros - places;
  if (exponent > largest_exponent || exponent < -largest_exponent) return {};
  number.exponent = static_cast<int>(exponent);
  if (negative) number.mantissa = -number.mantissa;
  return number;
}

std::optional<std::int64_t> in_units(const Decimal& number, int decimals) {
  if (number.mantissa == 0) return 0;
  const int steps = number.exponent + decimals;
  if (steps < 0) return {};
  std::int64_t value = number.mantissa;
  for (int step = 0; step < steps; ++step) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return {};
  }
  return value;
}

std::string with_decimal_point(std::string_view text) {
  std::string number(text);
  const auto comma = number.find(',');
  constexpr std::size_t digits_of_thousands = 3;
  const bool is_decimal = comma != std::string::npos && comma + 1 < number.size() &&
                          number.size() - comma - 1 != digits_of_thousands &&
                          number.find_first_of(".,", comma + 1) == std::string::npos;
  if (!is_decimal) return number;
  number[comma] = '.';
  return parse_number(number) ? number : std::string(text);
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
