#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// A name in one form: accents composed (Unicode NFC), so that a letter typed in two ways is one.
std::string composed(std::string_view name);

/// What two spellings of one item have in common: accents composed, upper and lower case, blanks of
/// any kind and number, folders or the address before the last slash, and the ending of a picture,
/// sound or film do not matter.
std::string spelling(std::string_view name);

/// What a cell with HTML shows: the files of its pictures, sounds and films, in order, and the text
/// between the tags, with single blanks.
struct Shown {
  std::vector<std::string> files;
  std::string text;
};
bool has_markup(std::string_view cell);
Shown shown_by(std::string_view markup);

/// The item in a cell: the file that its markup shows, else its text without tags; a cell without
/// markup as it is. Accents are composed. Nothing of a cell that shows several files.
std::string item_in(std::string_view cell);

/// The items listed in one cell: JSON (["a","b"]), Python (['a', 'b']), several files in HTML, or
/// short names joined by commas, semicolons or bars, so many of them (0: two or more). False if it
/// is no list.
bool items_listed(std::string_view cell, std::size_t joined, std::vector<std::string>& items);

/// A sentence rather than a name: many words, or a few that end like one.
bool is_prose(std::string_view cell);

/// A word on a button that leads on, such as "Continue", "I agree" or "Yes".
bool is_button(std::string_view text);

}  // namespace tertium::internal
