#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tertium::internal {

/// Offset of the first byte that is not part of valid UTF-8, if there is one.
/// Overlong forms, surrogates and code points above U+10FFFF are invalid.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// The text as a terminal can show it: what would act on the terminal or hide in it stands as
/// escapes. These are control characters (C0, DEL and C1, line breaks too), line and paragraph
/// separators, marks that turn the direction of writing, characters without width, and bytes that
/// are not UTF-8: \x1B for a byte, \u202E for others. Joiners stay between letters that are not
/// ASCII, where scripts and emoji need them. Doing it twice changes nothing.
std::string escaped(std::string_view text);

/// The same of JSON, in JSON's own escapes: a reader gets the same strings as before. Line breaks
/// between the values stay.
std::string escaped_json(std::string_view json);

/// A value as it can be shown in a message: escaped, and cut if it is long.
std::string printable(std::string_view text);

/// The printable text in single quotes.
std::string in_quotes(std::string_view text);

}  // namespace tertium::internal
