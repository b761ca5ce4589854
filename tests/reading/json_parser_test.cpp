#include "tertium/reading/json_parser.hpp"

#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tertium/core/utf8.hpp"

namespace tertium::internal {
namespace {

using Json = nlohmann::ordered_json;

/// What a text is: JSON without blanks, members in the order of the text; nothing if it is no JSON.
std::optional<std::string> by_us(const std::string& text) {
  if (find_invalid_utf8(text)) return std::nullopt;
  try {
    JsonParser parser(text);
    const JsonValue value = parser.document();
    return value.is_null() ? "null" : value.is_string() ? Json(value.text()).dump() : value.text();
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

/// The same by a parser that has nothing to do with ours.
std::optional<std::string> by_another(const std::string& text) {
  try {
    return Json::parse(text).dump();
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::string value(int depth) {
    switch (pick(depth > 0 ? 9 : 6)) {
      case 0:
        return one_of({"null", "true", "false"});
      case 1:
      case 2:
        return number();
      case 3:
      case 4:
      case 5:
        return string();
      case 6:
        return "[" + blank() + list(depth, false) + "]";
      default:
        return "{" + list(depth, true) + blank() + "}";
    }
  }

  std::size_t pick(std::size_t count) { return random_() % count; }
  std::string one_of(const std::vector<std::string>& words) { return words[pick(words.size())]; }

 private:
  std::string blank() { return one_of({"", "", "", " ", "\n", "\t ", "\r\n"}); }

  std::string list(int depth, bool object) {
    std::string text;
    const std::size_t count = pick(pick(10) == 0 ? 40 : 5);
    for (std::size_t i = 0; i < count; ++i) {
      text += i == 0 ? "" : blank() + "," + blank();
      if (object) text += string() + blank() + ":" + blank();
      text += value(depth - 1);
    }
    return text;
  }

  std::string number() {
    const std::string whole =
        one_of({"0", "7", "12", "123456", "1234567", "9007199254740993", "18446744073709551615",
                "18446744073709551616", "9223372036854775808", "123456789012345678901234567890"});
    const std::string fraction = one_of({"", "", ".0", ".5", ".50", ".05", ".000001", ".125", ".1",
                                         ".123456789012345678", ".333333"});
    const std::string exponent = one_of({"", "", "", "e2", "E+3", "e-7", "e300", "e-400"});
    return one_of({"", "-"}) + whole + fraction + exponent;
  }

  std::string string() {
    std::string text = "\"";
    for (std::size_t i = pick(4); i > 0; --i) {
      text += one_of({"a",       "b",
                      "key",     "long enough to be read in words",
                      "é",       "日本",
                      "😀",       "\\n",
                      "\\\"",    "\\\\",
                      "\\/",     "\\u0041",
                      "\\u00e9", "\\uD83D\\uDE00",
                      "\\u0000", "\x7F",
                      "\\u001f", ",",
                      "]",       "{"});
    }
    return text + "\"";
  }

  std::mt19937 random_;
};

TEST(JsonParser, AgreesWithAnotherParser) {
  std::size_t valid = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Writer writer(seed);
    std::string text = writer.value(5);
    ASSERT_EQ(by_us(text), by_another(text)) << text;
    valid += by_us(text).has_value() ? 1U : 0U;
    // And with every kind of damage.
    for (int damage = 0; damage < 6 && !text.empty(); ++damage) {
      const std::size_t at = writer.pick(text.size());
      const std::string piece = writer.one_of({"", ",", "\"", "\\", "{", "}", "[", "]", ":", "0",
                                               "-", ".", "e", "u", "\xC3", "\x01", " ", "t"});
      text.replace(at, writer.pick(3), piece);
      ASSERT_EQ(by_us(text), by_another(text)) << text;
    }
  }
  EXPECT_GT(valid, 3000U);
}

TEST(JsonParser, TakesElementsOneByOne) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Writer writer(seed);
    std::string text = "[" + writer.value(3) + " , " + writer.value(3) + "]";
    if (seed % 3 == 0) text.erase(writer.pick(text.size()), 1);
    if (find_invalid_utf8(text)) continue;
    std::optional<std::string> joined = "[";
    try {
      JsonParser parser(text);
      if (!parser.at_array()) continue;
      while (parser.next_element()) {
        const JsonValue value = parser.element();
        *joined +=
            (joined->size() > 1 ? "," : "") + (value.is_null()     ? std::string("null")
                                               : value.is_string() ? Json(value.text()).dump()
                                                                   : value.text());
      }
      *joined += "]";
    } catch (const JsonError&) {
      joined.reset();
    }
    ASSERT_EQ(joined, by_another(text)) << text;
  }
}

TEST(JsonParser, KeepsTheLastOfRepeatedKeysInThePlaceOfTheFirst) {
  EXPECT_EQ(by_us(R"({"a":1,"b":2,"a":[3]})"), R"({"a":[3],"b":2})");
  EXPECT_EQ(by_us(R"({"a":1,"b":2,"\u0061":3})"), R"({"a":3,"b":2})");
}

TEST(JsonParser, RefusesWhatIsTooDeepForAnybody) {
  for (const std::size_t depth : {deepest_json, deepest_json + 1, deepest_json + 2}) {
    const std::string text = std::string(depth, '[') + std::string(depth, ']');
    EXPECT_EQ(by_us(text).has_value(), depth <= deepest_json + 1) << depth;
  }
}

}  // namespace
}  // namespace tertium::internal
