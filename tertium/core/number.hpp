#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tertium::internal {

/// The whole text as a decimal integer ("12", "-3", "+1"); also "12.0", as spreadsheets and data
/// frames write integers in a column with gaps, and "1.2e+01", as numpy.savetxt does.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// The whole text as a finite or infinite number in the usual notation.
std::optional<double> parse_number(std::string_view text);

/// mantissa * 10^exponent, exactly; the mantissa does not end in 0 unless it is 0.
struct Decimal {
  std::int64_t mantissa = 0;
  int exponent = 0;

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

/// The whole text as a decimal number, without rounding. Nothing if it is not a finite number, or
/// if it has more digits than 64 bits hold.
std::optional<Decimal> parse_decimal(std::string_view text);

/// The number times 10^decimals; nothing if that is not whole, or beyond 64 bits.
std::optional<std::int64_t> in_units(const Decimal& number, int decimals);

/// A number with a decimal comma as one with a point: "0,5" becomes "0.5". All else stays as it is,
/// also "1,500", where the comma may stand for thousands.
std::string with_decimal_point(std::string_view text);

/// The text without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Empty, or one of the words that programs write for "no value": NA, N/A, NaN, null, None. Sodium
/// (Na) is a value.
bool is_missing(std::string_view text);

}  // namespace tertium::internal
