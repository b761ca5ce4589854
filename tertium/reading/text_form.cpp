#include "tertium/reading/text_form.hpp"

#include <algorithm>
#include <array>

#include "tertium/core/utf8.hpp"

namespace tertium::internal {
namespace {

using Encoding = TextForm::Encoding;

constexpr char32_t replacement = 0xFFFD;
constexpr char32_t byte_order_mark = 0xFEFF;

/// What Windows-1252 has in 0x80 .. 0x9F; 0 where it has nothing.
constexpr std::array<char16_t, 32> windows_1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

/// Control characters other than tabs and line ends: what no text has.
bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && (byte < 0x09 || byte > 0x0D)) || byte == 0x7F;
  });
}

bool may_be_windows_1252(std::string_view text) {
  return !has_controls(text) && !has_letters_of_utf8(text) &&
         std::none_of(text.begin(), text.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte >= 0x80 && byte < 0xA0 && windows_1252[byte - 0x80] == 0;
         });
}

/// Letters in UTF-8 beside bytes that are not: damage, not another encoding.
bool has_letters_of_utf8(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 0;
    if (length > 0 && !find_invalid_utf8(text.substr(i, length))) return true;
  }
  return false;
}

/// ASCII in UTF-16: every second byte is 0, the others are not.
bool has_zeros_from(std::string_view text, std::size_t first) {
  if (text.size() < 2) return false;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    if (text[i + first] != '\0' || text[i + 1 - first] == '\0') return false;
  }
  return true;
}

}  // namespace

TextForm TextForm::of(std::string_view start, bool complete) {
  TextForm form;
  constexpr std::size_t few = 16;  // zeros are looked for among so many bytes
  const std::string_view first = start.substr(0, std::min(few, start.size()));
  if (start.starts_with("\xFF\xFE") || has_zeros_from(first, 1)) {
    form.encoding_ = Encoding::utf16_little;
  } else if (start.starts_with("\xFE\xFF") || has_zeros_from(first, 0)) {
    form.encoding_ = Encoding::utf16_big;
  } else {
    constexpr std::size_t longest_character = 4;
    const auto invalid = find_invalid_utf8(start);
    const bool cut = invalid && !complete && start.size() - *invalid < longest_character;
    if (invalid && !cut && may_be_windows_1252(start)) form.encoding_ = Encoding::windows_1252;
  }
  form.old_line_ends_ =
      start.find('\n') == std::string_view::npos && start.find('\r') != std::string_view::npos;
  return form;
}

std::string TextForm::in_words() const {
  std::string words = encoding_ == Encoding::utf8           ? ""
                      : encoding_ == Encoding::windows_1252 ? "Windows-1252 text"
                                                            : "UTF-16 text";
  if (old_line_ends_)
    words += words.empty() ? "lines that end in CR" : " with lines that end in CR";
  return words;
}

void TextForm::put(char32_t character, std::string& text) const {
  if (character == U'\r' && old_line_ends_) character = U'\n';
  const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
  if (character < 0x80) {
    byte(character);
  } else if (character < 0x800) {
    byte(0xC0 | (character >> 6U));
    byte(0x80 | (character & 0x3FU));
  } else if (character < 0x10000) {
    byte(0xE0 | (character >> 12U));
    byte(0x80 | ((character >> 6U) & 0x3FU));
    byte(0x80 | (character & 0x3FU));
  } else {
    byte(0xF0 | (character >> 18U));
    byte(0x80 | ((character >> 12U) & 0x3FU));
    byte(0x80 | ((character >> 6U) & 0x3FU));
    byte(0x80 | (character & 0x3FU));
  }
}

void TextForm::translate_utf16(std::string_view bytes, bool last, std::string& text) {
  waiting_ += bytes;
  const std::size_t low = encoding_ == Encoding::utf16_little ? 0 : 1;
  std::size_t at = 0;
  for (; at + 1 < waiting_.size(); at += 2) {
    const auto byte = [&](std::size_t i) {
      return static_cast<char32_t>(static_cast<unsigned char>(waiting_[at + i]));
    };
    const char32_t unit = byte(low) | (byte(1 - low) << 8U);
    const bool first_half = unit >= 0xD800 && unit < 0xDC00;
    const bool second_half = unit >= 0xDC00 && unit < 0xE000;
    if (surrogate_ != 0 && second_half) {
      put(0x10000 + ((surrogate_ - 0xD800) << 10U) + (unit - 0xDC00), text);
      surrogate_ = 0;
      continue;
    }
    if (surrogate_ != 0) put(replacement, text);
    surrogate_ = first_half ? unit : 0;
    if (first_half) continue;
    const bool mark = at_start_ && unit == byte_order_mark;
    at_start_ = false;
    if (!mark) put(second_half ? replacement : unit, text);
  }
  waiting_.erase(0, at);
  if (!last) return;
  if (surrogate_ != 0 || !waiting_.empty()) put(replacement, text);
  waiting_.clear();
  surrogate_ = 0;
}

void TextForm::translate(std::string_view bytes, bool last, std::string& text) {
  if (encoding_ == Encoding::utf16_little || encoding_ == Encoding::utf16_big) {
    translate_utf16(bytes, last, text);
    return;
  }
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (encoding_ == Encoding::utf8) {
      text += c == '\r' ? '\n' : c;
    } else if (byte >= 0x80 && byte < 0xA0) {
      const char16_t character = windows_1252[byte - 0x80];
      put(character == 0 ? replacement : character, text);
    } else {
      put(byte, text);
    }
  }
}

}  // namespace tertium::internal
