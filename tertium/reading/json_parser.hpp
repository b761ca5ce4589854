#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// Where a text stops being JSON.
struct JsonError {
  std::size_t at = 0;
  std::string_view expected = "valid JSON";
};

/// Deeper documents are no answers, and would exhaust the stack of whoever walks over them.
inline constexpr std::size_t deepest_json = 100;

class JsonParser;

/// A value of a parsed text. Lives as long as its parser, until that takes the next value.
class JsonValue {
 public:
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_primitive() const { return !is_array() && !is_object(); }

  /// Number of elements or members; walks over them.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const;

  /// Elements of an array: for (auto e = array.begin(); e != array.end(); ++e) use(*e).
  class Iterator {
   public:
    JsonValue operator*() const { return {*parser_, at_}; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const = default;

   private:
    friend class JsonValue;
    Iterator(const JsonParser& parser, std::size_t at) : parser_(&parser), at_(at) {}
    const JsonParser* parser_;
    std::size_t at_;
  };
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  /// Calls `visit(key, value)` for the members of an object in the order of the text, keys as
  /// strings. Of members with the same key the last counts, in the place of the first.
  template <typename Visit>
  void for_each_member(const Visit& visit) const;

  /// What stands between the quotation marks of a string without escapes, or a plain value as it is
  /// written. `is_escaped` strings have to be decoded.
  [[nodiscard]] std::string_view raw() const;
  [[nodiscard]] bool is_escaped() const;

  /// As text for people: the characters of a string, nothing for null, numbers by their value
  /// (1e2 is 100.0), arrays and objects as JSON without blanks.
  [[nodiscard]] std::string text() const;
  /// True if `raw()` is that text.
  [[nodiscard]] bool raw_is_text() const;

 private:
  friend class JsonParser;
  JsonValue(const JsonParser& parser, std::size_t at) : parser_(&parser), at_(at) {}
  void write(std::string& out) const;

  const JsonParser* parser_;
  std::size_t at_;
};

struct JsonMember {
  JsonValue key;
  JsonValue value;
};

/// Takes JSON apart in one pass, without copies: a word for every value says what it is and where
/// it stands. The text must be valid UTF-8 and outlive the parser. Throws JsonError.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  /// The value that is the whole text.
  JsonValue document();

  /// Whether the text is an array, whose elements can be taken one by one.
  [[nodiscard]] bool at_array();
  /// Moves to the next element of that array, which forgets the one before; false after the last,
  /// when nothing else may follow.
  bool next_element();
  [[nodiscard]] JsonValue element() const { return {*this, 0}; }

 private:
  friend class JsonValue;
  enum Kind : std::uint8_t {
    null,
    boolean,
    number,
    string,
    escaped_string,
    array,
    object,
    object_with_repeated_keys
  };

  void take_value();
  bool begin_value();
  bool take_separator();
  void take_key();
  void take_string();
  void take_escape();
  std::uint32_t take_hex();
  void take_number();
  void take_literal(std::string_view word, Kind what);
  void take_end();
  void close();
  void skip_blanks();
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void fail(std::size_t at) const { throw JsonError{at}; }

  void put(Kind what, std::size_t at, std::size_t length);
  [[nodiscard]] bool repeats_keys(std::size_t object_at) const;
  [[nodiscard]] std::vector<JsonMember> distinct_members(std::size_t object_at) const;

  // A plain value is a word: what it is, its length, where it stands; a second word has the length
  // if it does not fit. An array or object is two words: where it stands, and the number of the
  // first word behind it; its elements, or keys and values in turn, follow.
  static constexpr unsigned kind_bits = 3;
  static constexpr unsigned length_bits = 21;
  static constexpr std::uint64_t long_length = (1U << length_bits) - 1;

  [[nodiscard]] Kind kind(std::size_t word) const {
    return static_cast<Kind>(words_[word] & ((1U << kind_bits) - 1));
  }
  [[nodiscard]] std::uint64_t short_length(std::size_t word) const {
    return (words_[word] >> kind_bits) & long_length;
  }
  [[nodiscard]] std::size_t behind(std::size_t word) const {
    if (kind(word) >= array) return words_[word + 1];
    return word + (short_length(word) == long_length ? 2 : 1);
  }
  [[nodiscard]] std::string_view raw(std::size_t word) const {
    const std::uint64_t length = short_length(word);
    return text_.substr(words_[word] >> (kind_bits + length_bits),
                        length == long_length ? words_[word + 1] : length);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool inside_ = false;  // of an array whose elements are taken one by one
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> open_;  // words of the arrays and objects around what is read
};

inline bool JsonValue::is_null() const { return parser_->kind(at_) == JsonParser::null; }
inline bool JsonValue::is_string() const {
  return parser_->kind(at_) == JsonParser::string || is_escaped();
}
inline bool JsonValue::is_escaped() const {
  return parser_->kind(at_) == JsonParser::escaped_string;
}
inline bool JsonValue::is_array() const { return parser_->kind(at_) == JsonParser::array; }
inline bool JsonValue::is_object() const { return parser_->kind(at_) >= JsonParser::object; }
inline std::string_view JsonValue::raw() const { return parser_->raw(at_); }
inline JsonValue::Iterator JsonValue::begin() const { return {*parser_, at_ + 2}; }
inline JsonValue::Iterator JsonValue::end() const { return {*parser_, parser_->behind(at_)}; }
inline bool JsonValue::empty() const { return begin() == end(); }
inline JsonValue::Iterator& JsonValue::Iterator::operator++() {
  at_ = parser_->behind(at_);
  return *this;
}

template <typename Visit>
void JsonValue::for_each_member(const Visit& visit) const {
  if (parser_->kind(at_) == JsonParser::object_with_repeated_keys) {
    for (const JsonMember& member : parser_->distinct_members(at_)) visit(member.key, member.value);
    return;
  }
  const std::size_t end = parser_->behind(at_);
  for (std::size_t key = at_ + 2; key < end;) {
    const std::size_t value = parser_->behind(key);
    visit(JsonValue(*parser_, key), JsonValue(*parser_, value));
    key = parser_->behind(value);
  }
}

}  // namespace tertium::internal
