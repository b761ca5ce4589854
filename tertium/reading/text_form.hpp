#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tertium::internal {

/// How a text lies in a file: other forms than UTF-8 with LF are translated as they are read.
class TextForm {
 public:
  enum class Encoding : std::uint8_t { utf8, utf16_little, utf16_big, windows_1252 };

  /// From the first bytes, of which `complete` says whether they are all. UTF-16 has a byte order
  /// mark, or zeros in every second place; Windows-1252 is what has no letter of
  /// UTF-8 but bytes that are none, all of which Windows-1252 knows; lines end in CR if there is no
  /// LF.
  static TextForm of(std::string_view start, bool complete);

  [[nodiscard]] bool is_plain() const { return encoding_ == Encoding::utf8 && !old_line_ends_; }

  /// "Windows-1252 text, lines that end in CR": for people; empty if plain.
  [[nodiscard]] std::string in_words() const;

  /// Appends the bytes in UTF-8. What is incomplete at their end waits for the next, unless it is
  /// the `last`; halves of pairs that stand alone become U+FFFD.
  void translate(std::string_view bytes, bool last, std::string& text);

 private:
  void put(char32_t character, std::string& text) const;
  void translate_utf16(std::string_view bytes, bool last, std::string& text);

  Encoding encoding_ = Encoding::utf8;
  bool old_line_ends_ = false;
  bool at_start_ = true;    // a byte order mark may follow
  std::string waiting_;     // bytes of an incomplete character
  char32_t surrogate_ = 0;  // the first half of a pair
};

}  // namespace tertium::internal
