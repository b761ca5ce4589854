#include "tertium/core/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace tertium::internal {
namespace {

constexpr std::size_t longest_shown_value = 80;

/// Length of the valid UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return byte(1) >= low && byte(1) <= high && continues(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return byte(1) >= low && byte(1) <= high && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

/// The character that the valid sequence at the start of `text` stands for.
char32_t decoded(std::string_view text, std::size_t length) {
  constexpr std::array<unsigned, 5> bits_of_first = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code = static_cast<unsigned char>(text[0]) & bits_of_first.at(length);
  for (std::size_t i = 1; i < length; ++i) {
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return code;
}

struct Range {
  char32_t first;
  char32_t last;
};

/// Characters that act on a terminal, or that nobody sees.
constexpr std::array<Range, 13> unsafe = {{
    {0x00, 0x1F},        // C0: escape sequences, bell, line breaks
    {0x7F, 0x9F},        // delete and C1, where one character begins an escape sequence
    {0xAD, 0xAD},        // soft hyphen
    {0x61C, 0x61C},      // Arabic letter mark
    {0x180E, 0x180E},    // Mongolian vowel separator, without width
    {0x200B, 0x200B},    // zero width space
    {0x200E, 0x200F},    // marks of direction
    {0x2028, 0x202E},    // line and paragraph separators, embeddings and overrides of direction
    {0x2060, 0x206F},    // word joiner, invisible operators, isolates of direction
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFF9, 0xFFFB},    // interlinear annotations
    {0x1BCA0, 0x1BCA3},  // shorthand format controls
    {0xE0000, 0xE007F},  // tags: invisible copies of ASCII
}};
constexpr char32_t zero_width_non_joiner = 0x200C;
constexpr char32_t zero_width_joiner = 0x200D;

bool is_unsafe(char32_t code, char32_t before) {
  if (code >= ' ' && code <= '~') return false;  // nearly always
  if (code == zero_width_non_joiner || code == zero_width_joiner) return before < 0x80;
  return std::any_of(unsafe.begin(), unsafe.end(),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

std::string escape_of(char32_t code) {
  const auto number = static_cast<std::uint32_t>(code);
  if (number < 0x80) return fmt::format("\\x{:02X}", number);
  if (number < 0x10000) return fmt::format("\\u{:04X}", number);
  return fmt::format("\\U{:08X}", number);
}

/// In JSON what is beyond 16 bits is a pair of surrogates.
std::string json_escape_of(char32_t code) {
  auto number = static_cast<std::uint32_t>(code);
  if (number < 0x10000) return fmt::format("\\u{:04x}", number);
  number -= 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (number >> 10U), 0xDC00U + (number & 0x3FFU));
}

/// Appends the character at the start of `text`, as it is or as `escape` writes it, and returns how
/// many bytes it takes. `before` is the character in front of it.
template <class Escape>
std::size_t append_first(std::string& shown, std::string_view text, char32_t& before,
                         const Escape& escape) {
  const std::size_t length = sequence_length(text);
  if (length == 0) {
    shown += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[0]));
    before = 0;
    return 1;
  }
  const char32_t code = decoded(text, length);
  if (is_unsafe(code, before)) {
    shown += escape(code);
  } else {
    shown += text.substr(0, length);
  }
  before = code;
  return length;
}

}  // namespace

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (at + 8 <= text.size()) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, 8);
      if ((word & 0x8080808080808080ULL) == 0) {
        at += 8;
        continue;
      }
    }
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

std::string escaped(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  char32_t before = 0;
  while (!text.empty()) text.remove_prefix(append_first(shown, text, before, escape_of));
  return shown;
}

std::string escaped_json(std::string_view json) {
  std::string shown;
  shown.reserve(json.size());
  char32_t before = 0;
  const auto escape = [](char32_t code) {
    return code == '\n' ? std::string("\n") : json_escape_of(code);
  };
  while (!json.empty()) json.remove_prefix(append_first(shown, json, before, escape));
  return shown;
}

std::string printable(std::string_view text) {
  std::string shown;
  char32_t before = 0;
  while (!text.empty()) {
    if (shown.size() >= longest_shown_value) return shown + "...";
    text.remove_prefix(append_first(shown, text, before, escape_of));
  }
  return shown;
}

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", printable(text)); }

}  // namespace tertium::internal
