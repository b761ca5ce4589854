#include "tertium/reading/item_name.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

#include "tertium/core/number.hpp"
#include "tertium/reading/json_records.hpp"
#include "tertium/reading/normalised_name.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view media_endings =
    "jpg jpeg png gif bmp webp svg tif tiff mp3 wav ogg m4a mp4 webm mov obj glb";
constexpr std::string_view button_words =
    "yes no ok okay next continue proceed start begin ready done finish submit accept decline quit "
    "exit back skip agree disagree iagree idisagree idonotagree iconsent idonotconsent consent "
    "understood iunderstand";

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// The text as utf8proc maps it; as it is where that is not UTF-8.
std::string mapped(std::string_view text, int options) {
  utf8proc_uint8_t* result = nullptr;
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                   static_cast<utf8proc_ssize_t>(text.size()), &result,
                                   static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, &std::free);
  if (length < 0) return std::string(text);
  return {reinterpret_cast<const char*>(result), static_cast<std::size_t>(length)};
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Runs of blanks become one; those at the ends go.
std::string single_blanks(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank) {
      kept += c;
    } else if (!kept.empty() && kept.back() != ' ') {
      kept += ' ';
    }
  }
  if (!kept.empty() && kept.back() == ' ') kept.pop_back();
  return kept;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string without_entities(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> entities = {
      {{"&nbsp;", " "},
       {"&lt;", "<"},
       {"&gt;", ">"},
       {"&quot;", "\""},
       {"&#39;", "'"},
       {"&amp;", "&"}}};  // the last, or it would make others
  for (const auto& [entity, meant] : entities) replace_all(text, entity, meant);
  return text;
}

/// The value of `src` in a tag; empty if it has none.
std::string source_in(std::string_view tag) {
  const std::string lower = lower_ascii(tag);
  for (auto at = lower.find("src"); at != std::string::npos; at = lower.find("src", at + 3)) {
    if (at == 0 || std::isspace(static_cast<unsigned char>(lower[at - 1])) == 0) continue;
    std::string_view value = trimmed(tag.substr(at + 3));
    if (!value.starts_with('=')) continue;
    value = trimmed(value.substr(1));
    if (value.empty()) return {};
    if (value[0] == '"' || value[0] == '\'') {
      return without_entities(std::string(value.substr(1, value.find(value[0], 1) - 1)));
    }
    return without_entities(std::string(value.substr(0, value.find_first_of(" \t/>"))));
  }
  return {};
}

std::size_t count_words(std::string_view text) {
  const std::string words = single_blanks(text);
  if (words.empty()) return 0;
  return 1 + static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '));
}

/// False if a part is no short name.
bool split_names(std::string_view cell, char separator, std::vector<std::string>& names) {
  constexpr std::size_t most_words = 3;  // more are a sentence with commas
  names.clear();
  while (true) {
    const auto end = cell.find(separator);
    const std::string_view part = trimmed(cell.substr(0, end));
    const std::size_t words = count_words(part);
    if (words == 0 || words > most_words) break;
    names.push_back(composed(part));
    if (end == std::string_view::npos) return true;
    cell.remove_prefix(end + 1);
  }
  names.clear();
  return false;
}

}  // namespace

std::string composed(std::string_view name) {
  if (is_ascii(name)) return std::string(name);
  return mapped(name, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

std::string spelling(std::string_view name) {
  std::string text(name);
  if (text.find("://") != std::string::npos) text = text.substr(0, text.find_first_of("?#"));
  const auto slash = text.find_last_of("/\\");
  if (slash != std::string::npos && slash + 1 < text.size()) text.erase(0, slash + 1);
  for (const std::string_view blank : {"\xC2\xA0", "\xE2\x80\xAF"}) replace_all(text, blank, " ");
  const auto dot = text.rfind('.');
  if (dot != std::string::npos && dot > 0 &&
      position_in(media_endings, lower_ascii(text.substr(dot + 1))) > 0) {
    text.erase(dot);
  }
  text = is_ascii(text) ? lower_ascii(text)
                        : mapped(text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  return single_blanks(text);
}

bool has_markup(std::string_view cell) {
  const auto open = cell.find('<');
  if (open == std::string_view::npos || open + 1 >= cell.size()) return false;
  const char next = cell[open + 1];
  const bool tag =
      std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '/' || next == '!';
  return tag && cell.find('>', open) != std::string_view::npos;
}

Shown shown_by(std::string_view markup) {
  Shown shown;
  std::string text;
  while (!markup.empty()) {
    const auto open = markup.find('<');
    text += markup.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto close = markup.find('>', open);
    const bool complete = close != std::string_view::npos;
    if (complete) {
      std::string source = source_in(markup.substr(open + 1, close - open - 1));
      if (!source.empty()) shown.files.push_back(std::move(source));
    }
    text += ' ';
    markup.remove_prefix(complete ? close + 1 : markup.size());
  }
  shown.text = single_blanks(without_entities(std::move(text)));
  return shown;
}

std::string item_in(std::string_view cell) {
  if (!has_markup(cell)) return composed(cell);
  const Shown shown = shown_by(cell);
  if (shown.files.size() > 1) return {};
  return composed(shown.files.empty() ? shown.text : shown.files[0]);
}

bool items_listed(std::string_view cell, std::size_t joined, std::vector<std::string>& items) {
  items.clear();
  if (trimmed(cell).starts_with('[')) {
    if (!parse_list(cell, items)) return false;
    for (std::string& item : items) item = item_in(item);
    return true;
  }
  if (has_markup(cell)) {
    for (const std::string& file : shown_by(cell).files) items.push_back(composed(file));
    return items.size() > 1;
  }
  for (const char separator : {'|', ';', ','}) {
    const auto parts =
        1 + static_cast<std::size_t>(std::count(cell.begin(), cell.end(), separator));
    if (parts < 2 || (joined > 0 && parts != joined)) continue;
    if (split_names(cell, separator, items)) return true;
  }
  return false;
}

bool is_prose(std::string_view cell) {
  constexpr std::size_t words_of_a_sentence = 3;
  constexpr std::string_view ends = ".?!:";
  const Shown shown = shown_by(cell);
  if (!shown.files.empty() || shown.text.empty()) return false;
  const std::size_t words = count_words(shown.text);
  if (words > 2 * words_of_a_sentence) return true;
  return words >= words_of_a_sentence && ends.find(shown.text.back()) != std::string_view::npos;
}

bool is_button(std::string_view text) {
  return position_in(button_words, normalised_name(shown_by(text).text)) > 0;
}

}  // namespace tertium::internal
