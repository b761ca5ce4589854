#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/core/number.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using testing::HasSubstr;

TEST(Error, SaysPlaceValueExpectationAndRemedy) {
  const InputError error({{"a.csv", 12, 3, "far"}, "'x'", "an id", "Add --ids-from 1"});
  EXPECT_STREQ(error.what(),
               "a.csv, line 12, column 3 (far): found 'x'; expected an id. Add --ids-from 1");
}

TEST(Utf8, AcceptsEveryCodePointAndNothingElse) {
  const auto encode = [](char32_t c) {
    std::string bytes;
    const auto put = [&](char32_t b) { bytes += static_cast<char>(static_cast<unsigned char>(b)); };
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xC0 | (c >> 6U)), put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      put(0xE0 | (c >> 12U)), put(0x80 | ((c >> 6U) & 0x3F)), put(0x80 | (c & 0x3F));
    } else {
      put(0xF0 | (c >> 18U)), put(0x80 | ((c >> 12U) & 0x3F)), put(0x80 | ((c >> 6U) & 0x3F)),
          put(0x80 | (c & 0x3F));
    }
    return bytes;
  };
  for (char32_t c = 1; c < 0x120000; c += 7) {
    const bool valid = c < 0x110000 && !(c >= 0xD800 && c < 0xE000);
    EXPECT_EQ(!find_invalid_utf8(encode(c)).has_value(), valid) << static_cast<unsigned>(c);
  }
  EXPECT_TRUE(find_invalid_utf8("\xC0\x80"));     // overlong
  EXPECT_TRUE(find_invalid_utf8("abc\xE2\x82"));  // cut off
  EXPECT_EQ(find_invalid_utf8("0123456789\xFF"), 10U);
}

TEST(Utf8, PrintableShowsWhatATerminalCannot) {
  EXPECT_EQ(printable("a\x01\xFF\xC3\xA9"), "a\\x01\\xFF\xC3\xA9");
  EXPECT_LT(printable(std::string(1000, 'x')).size(), 100U);
}

TEST(Number, IntegersAsSpreadsheetsWriteThem) {
  EXPECT_EQ(parse_integer("12"), 12);
  EXPECT_EQ(parse_integer("-3"), -3);
  EXPECT_EQ(parse_integer("+1"), 1);
  EXPECT_EQ(parse_integer("12.0"), 12);
  for (const char* text : {"", "1.5", "x", "1x", "+-1", ".0", "99999999999999999999", " 1"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(Number, MissingValuesOfStatisticsPrograms) {
  for (const char* text : {"", "NA", "n/a", "NaN", "null", "None"}) EXPECT_TRUE(is_missing(text));
  for (const char* text : {"0", "nana", "nullo", "no"}) EXPECT_FALSE(is_missing(text)) << text;
}

TEST(OutputFile, AppearsWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const std::string path = folder.file("out", "old");
  {
    OutputFile file(path);
    file.write("new");
  }
  EXPECT_EQ(file_bytes(path), "old");
  EXPECT_TRUE(folder.has_only(1));
  OutputFile file(path);
  file.write("new");
  EXPECT_EQ(file_bytes(path), "old");
  file.commit();
  EXPECT_EQ(file_bytes(path), "new");
  EXPECT_TRUE(folder.has_only(1));
}

TEST(OutputFile, RefusesWhatCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THROW(OutputFile{folder.path("")}, InputError);
  EXPECT_THROW(OutputFile{folder.path("no/such/folder")}, InputError);
}

}  // namespace
}  // namespace tertium::internal
