#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tertium::internal {

/// The whole text as a decimal integer ("12", "-3", "+1"); also "12.0", as spreadsheets and data
/// frames write integers in a column with gaps.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// The whole text as a finite or infinite number in the usual notation.
std::optional<double> parse_number(std::string_view text);

/// The text without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Empty, or one of the words that programs write for "no value": NA, N/A, NaN, null, None. Sodium
/// (Na) is a value.
bool is_missing(std::string_view text);

}  // namespace tertium::internal
