#include "tertium/reading/json_parser.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

#include <nlohmann/json.hpp>

namespace tertium::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether one of eight bytes ends a run of plain characters: a quotation mark, a backslash or a
/// control character.
bool has_special(std::uint64_t bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t highs = 0x8080808080808080ULL;
  const auto has_zero = [](std::uint64_t x) { return (x - ones) & ~x & highs; };
  const std::uint64_t quote = has_zero(bytes ^ (ones * '"'));
  const std::uint64_t slash = has_zero(bytes ^ (ones * '\\'));
  const std::uint64_t control = (bytes - ones * 0x20) & ~bytes & highs;
  return (quote | slash | control) != 0;
}

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const auto continuation = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU));
  };
  if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    continuation(6);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    continuation(12);
    continuation(6);
  }
  continuation(0);
}

bool is_high_surrogate(std::uint32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low_surrogate(std::uint32_t code) { return code >= 0xDC00 && code < 0xE000; }

/// The characters of a string whose escapes are known to be right.
std::string decoded(std::string_view raw) {
  const auto unit = [&](std::size_t at) {
    return static_cast<std::uint32_t>(
        std::strtoul(std::string(raw.substr(at, 4)).c_str(), nullptr, 16));
  };
  std::string text;
  text.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\') {
      text += raw[i];
      continue;
    }
    switch (raw[++i]) {
      case 'b':
        text += '\b';
        break;
      case 'f':
        text += '\f';
        break;
      case 'n':
        text += '\n';
        break;
      case 'r':
        text += '\r';
        break;
      case 't':
        text += '\t';
        break;
      case 'u': {
        std::uint32_t code = unit(i + 1);
        i += 4;
        if (is_high_surrogate(code)) {  // its other half follows: \uXXXX
          code = 0x10000 + ((code - 0xD800) << 10U) + (unit(i + 3) - 0xDC00);
          i += 6;
        }
        append_utf8(text, code);
        break;
      }
      default:
        text += raw[i];
    }
  }
  return text;
}

bool is_integer(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

/// A number that is written as its value would be.
bool is_usual(std::string_view number) {
  constexpr std::size_t surely_64_bits = 18;
  constexpr std::size_t few_digits = 6;
  if (is_integer(number)) return number.size() <= surely_64_bits && number != "-0";
  if (number.front() == '-') number.remove_prefix(1);
  const auto point = number.find('.');
  if (point > few_digits) return false;  // also if there is none
  const std::string_view fraction = number.substr(point + 1);
  if (fraction == "0") return true;
  return fraction.size() <= few_digits && fraction.find_first_of("eE") == std::string_view::npos &&
         fraction.back() != '0' && (number[0] != '0' || fraction[0] != '0');
}

}  // namespace

// --- parsing ---

void JsonParser::put(Kind what, std::size_t at, std::size_t length) {
  const bool is_long = length >= long_length;
  const std::uint64_t shown = is_long ? long_length : length;
  words_.push_back(std::uint64_t{what} | (shown << kind_bits) |
                   (std::uint64_t{at} << (kind_bits + length_bits)));
  if (is_long) words_.push_back(length);
}

void JsonParser::skip_blanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
}

JsonValue JsonParser::document() {
  words_.clear();
  take_value();
  take_end();
  return {*this, 0};
}

void JsonParser::take_end() {
  skip_blanks();
  if (at_ < text_.size()) fail(at_);
}

bool JsonParser::at_array() {
  skip_blanks();
  return here() == '[';
}

bool JsonParser::next_element() {
  words_.clear();
  const bool first = !inside_;
  inside_ = true;
  if (first) ++at_;
  skip_blanks();
  if (here() == ']') {
    ++at_;
    take_end();
    return false;
  }
  if (!first) {
    if (here() != ',') fail(at_);
    ++at_;
  }
  take_value();
  return true;
}

void JsonParser::take_value() {
  while (true) {
    if (begin_value()) continue;
    while (!open_.empty() && !take_separator()) close();
    if (open_.empty()) return;
  }
}

/// Takes a plain value, or the start of an array or object; true if a value inside of it follows.
bool JsonParser::begin_value() {
  skip_blanks();
  const char c = here();
  if (c == '"') {
    take_string();
  } else if (c == '-' || is_digit(c)) {
    take_number();
  } else if (c == 't') {
    take_literal("true", boolean);
  } else if (c == 'f') {
    take_literal("false", boolean);
  } else if (c == 'n') {
    take_literal("null", null);
  } else if (c == '[' || c == '{') {
    if (open_.size() + (inside_ ? 1 : 0) > deepest_json) throw JsonError{at_, "records"};
    open_.push_back(words_.size());
    put(c == '[' ? array : object, at_, 0);
    words_.push_back(0);
    ++at_;
    skip_blanks();
    if (here() == (c == '[' ? ']' : '}') && at_ < text_.size()) {
      ++at_;
      close();
      return false;
    }
    if (c == '{') take_key();
    return true;
  } else {
    fail(at_);
  }
  return false;
}

/// True if another value follows, false at the end of the innermost array or object.
bool JsonParser::take_separator() {
  const bool in_array = kind(open_.back()) == array;
  skip_blanks();
  const char c = here();
  if (c != ',' && c != (in_array ? ']' : '}')) fail(at_);
  ++at_;
  if (c != ',') return false;
  if (!in_array) {
    skip_blanks();
    take_key();
  }
  return true;
}

void JsonParser::close() {
  const std::size_t opened = open_.back();
  open_.pop_back();
  words_[opened + 1] = words_.size();
  if (kind(opened) == object && repeats_keys(opened)) {
    words_[opened] |= std::uint64_t{object_with_repeated_keys};
  }
}

void JsonParser::take_key() {
  if (here() != '"') fail(at_);
  take_string();
  skip_blanks();
  if (here() != ':') fail(at_);
  ++at_;
}

void JsonParser::take_string() {
  const std::size_t start = ++at_;
  Kind what = string;
  while (true) {
    std::uint64_t bytes = 0;
    while (at_ + sizeof bytes <= text_.size()) {
      std::memcpy(&bytes, text_.data() + at_, sizeof bytes);
      if (has_special(bytes)) break;
      at_ += sizeof bytes;
    }
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           static_cast<unsigned char>(text_[at_]) >= 0x20) {
      ++at_;
    }
    if (here() != '\\') break;
    what = escaped_string;
    take_escape();
  }
  if (here() != '"') fail(at_);
  put(what, start, at_ - start);
  ++at_;
}

void JsonParser::take_escape() {
  constexpr std::string_view known = "\"\\/bfnrt";
  const std::size_t start = at_++;
  const char c = here();
  if (c != 'u') {
    if (at_ >= text_.size() || known.find(c) == std::string_view::npos) fail(at_);
    ++at_;
    return;
  }
  ++at_;
  const std::uint32_t code = take_hex();
  if (is_low_surrogate(code)) fail(start);
  if (!is_high_surrogate(code)) return;
  if (text_.substr(at_, 2) != "\\u") fail(at_);
  at_ += 2;
  if (!is_low_surrogate(take_hex())) fail(at_ - 1);
}

std::uint32_t JsonParser::take_hex() {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = here();
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit(c) && !(lower >= 'a' && lower <= 'f')) fail(at_);
    code = code * 16 + static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
  }
  return code;
}

void JsonParser::take_number() {
  const std::size_t start = at_;
  const auto take_digits = [&] {
    if (!is_digit(here())) fail(at_);
    while (is_digit(here())) ++at_;
  };
  if (here() == '-') ++at_;
  if (here() == '0') {
    ++at_;
  } else {
    take_digits();
  }
  if (here() == '.') {
    ++at_;
    take_digits();
  }
  if (here() == 'e' || here() == 'E') {
    ++at_;
    if (here() == '+' || here() == '-') ++at_;
    take_digits();
  }
  const std::string_view written = text_.substr(start, at_ - start);
  if (!is_usual(written) && std::isinf(std::strtod(std::string(written).c_str(), nullptr))) {
    throw JsonError{start, "a number that is not too large"};
  }
  put(number, start, written.size());
}

void JsonParser::take_literal(std::string_view word, Kind what) {
  if (text_.substr(at_, word.size()) != word) fail(at_);
  put(what, at_, word.size());
  at_ += word.size();
}

// --- objects with repeated keys ---

bool JsonParser::repeats_keys(std::size_t object_at) const {
  // Two by two where there are few, as in nearly all records.
  constexpr std::size_t few = 16;
  const std::size_t first = object_at + 2;
  const std::size_t end = behind(object_at);
  std::size_t count = 0;
  bool escaped = false;
  for (std::size_t key = first; key < end; key = behind(behind(key))) {
    escaped = escaped || kind(key) == escaped_string;
    if (++count > few) continue;
    const std::string_view name = raw(key);
    for (std::size_t other = first; other < key; other = behind(behind(other))) {
      if (raw(other) == name) return true;
    }
  }
  if (count <= few && !escaped) return false;
  std::vector<std::string> names;
  names.reserve(count);
  JsonValue(*this, object_at).for_each_member([&](const JsonValue& key, const JsonValue&) {
    names.push_back(key.text());
  });
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

std::vector<JsonMember> JsonParser::distinct_members(std::size_t object_at) const {
  std::vector<JsonMember> members;
  std::map<std::string, std::size_t> place_of;
  const std::size_t end = behind(object_at);
  for (std::size_t at = object_at + 2; at < end;) {
    const JsonValue key(*this, at);
    const JsonValue value(*this, behind(at));
    at = behind(value.at_);
    const auto [place, added] = place_of.emplace(key.text(), members.size());
    if (added) {
      members.push_back({key, value});
    } else {
      members[place->second].value = value;
    }
  }
  return members;
}

// --- values ---

std::size_t JsonValue::size() const {
  std::size_t count = 0;
  if (is_object()) {
    for_each_member([&](const JsonValue&, const JsonValue&) { ++count; });
    return count;
  }
  for (auto element = begin(); element != end(); ++element) ++count;
  return count;
}

bool JsonValue::raw_is_text() const {
  switch (parser_->kind(at_)) {
    case JsonParser::string:
    case JsonParser::boolean:
      return true;
    case JsonParser::number:
      return is_usual(raw());
    default:
      return false;
  }
}

std::string JsonValue::text() const {
  if (is_null()) return "";
  if (is_escaped()) return decoded(raw());
  if (is_string()) return std::string(raw());
  std::string out;
  write(out);
  return out;
}

/// Appends the value as JSON, on the way down as deep as documents may be.
void JsonValue::write(std::string& out) const {
  bool first = true;
  const auto separate = [&] {
    if (!first) out += ',';
    first = false;
  };
  if (is_array()) {
    out += '[';
    for (auto element = begin(); element != end(); ++element) {
      separate();
      (*element).write(out);
    }
    out += ']';
  } else if (is_object()) {
    out += '{';
    for_each_member([&](const JsonValue& key, const JsonValue& value) {
      separate();
      key.write(out);
      out += ':';
      value.write(out);
    });
    out += '}';
  } else if (is_escaped()) {
    out += nlohmann::json(decoded(raw())).dump();
  } else if (is_string()) {
    out.append("\"").append(raw()).append("\"");
  } else if (is_null() || raw_is_text()) {
    out += raw();
  } else {
    out += nlohmann::json::parse(raw()).dump();
  }
}

}  // namespace tertium::internal
