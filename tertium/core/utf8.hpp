#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tertium::internal {

/// Offset of the first byte that is not part of valid UTF-8, if there is one.
/// Overlong forms, surrogates and code points above U+10FFFF are invalid.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// The text as it can be shown in a message: control bytes and invalid UTF-8 become \xNN, and
/// long values are cut in the middle.
std::string printable(std::string_view text);

/// The printable text in single quotes.
std::string in_quotes(std::string_view text);

}  // namespace tertium::internal
