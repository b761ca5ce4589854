#include <array>
#include <deque>
#include <filesystem>
#include <set>

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

TEST(Error, ShowsATerminalNothingThatActsOnIt) {
  const InputError error({{"a\x1B[31m.csv", 1, 2, "\u202Efar"}, "\a", "no\rline", "\xFF\u2028"});
  EXPECT_STREQ(error.what(),
               "a\\x1B[31m.csv, line 1, column 2 (\\u202Efar): found \\x07; expected no\\x0Dline. "
               "\\xFF\\u2028");
  EXPECT_EQ(error.parts().place.file, "a\x1B[31m.csv");
}

TEST(Utf8, EscapesWhatActsOnATerminalOrHides) {
  using namespace std::string_view_literals;
  EXPECT_EQ(escaped("a\0b"sv), "a\\x00b");
  EXPECT_EQ(escaped("\n\t\x7F"), "\\x0A\\x09\\x7F");
  EXPECT_EQ(escaped("\u0080\u009B\u009F"), "\\u0080\\u009B\\u009F");
  EXPECT_EQ(escaped("\u202E\u2066\u200F\u061C"), "\\u202E\\u2066\\u200F\\u061C");
  EXPECT_EQ(escaped("\u2028\u2029\uFEFF\u200B\U000E0041"),
            "\\u2028\\u2029\\uFEFF\\u200B\\U000E0041");
  EXPECT_EQ(escaped("\x9B\xC3"), "\\x9B\\xC3");
  // What people write stays: umlauts, other scripts, emoji with their joiners.
  for (const char* text : {"S\u00E3o Paulo", "\u6771\u4EAC", "\U0001F469\u200D\U0001F52C",
                           "\u0645\u06CC\u200C\u062E", "\u00A0", "a\\x1B"}) {
    EXPECT_EQ(escaped(text), text);
  }
  EXPECT_EQ(escaped("pay\u200Dpal"), "pay\\u200Dpal");
}

TEST(Utf8, EscapingTwiceChangesNothingAndLeavesNoControl) {
  for (char32_t c = 0; c < 0xF0000; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string text = "x";
    const auto put = [&](char32_t b) { text += static_cast<char>(static_cast<unsigned char>(b)); };
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
    const std::string once = escaped(text);
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    const bool turns = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
                       (c >= 0x2066 && c <= 0x2069);
    if (control || turns) {
      ASSERT_NE(once, text) << static_cast<unsigned>(c);
    }
    ASSERT_EQ(escaped(once), once) << static_cast<unsigned>(c);
  }
}

TEST(Utf8, JsonKeepsItsStrings) {
  EXPECT_EQ(escaped_json("{\n  \"a\u009B\": \"\U000E0041\x7F\"\n}"),
            "{\n  \"a\\u009b\": \"\\udb40\\udc41\\u007f\"\n}");
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

TEST(OutputFile, CountsAndChecksItsBytes) {
  const TemporaryFolder folder;
  OutputFile file(folder.path("out"));
  EXPECT_EQ(file.checksum(), 0U);
  file.write("1234");
  file.write("56789");
  EXPECT_EQ(file.bytes(), 9U);
  EXPECT_EQ(file.checksum(), 0xCBF43926U);  // the check value of CRC-32
}

TEST(OutputFile, FilesAppearTogetherAndObsoleteOnesGo) {
  const TemporaryFolder folder;
  for (const char* name : {"part", "last", "obsolete", "other"}) {
    EXPECT_NE(folder.file(name, "old"), "");
  }
  OutputFile part(folder.path("part"));
  OutputFile last(folder.path("last"));
  part.write("new");
  last.write("new");
  const std::array<OutputFile*, 2> together = {&part, &last};
  const std::array<std::string_view, 2> obsolete = {"obsolete", "never there"};
  commit_together(together, obsolete);
  EXPECT_EQ(file_bytes(folder.path("part")), "new");
  EXPECT_EQ(file_bytes(folder.path("last")), "new");
  EXPECT_EQ(file_bytes(folder.path("other")), "old");
  EXPECT_TRUE(folder.has_only(3));
}

/// The temporary files in a folder.
std::set<std::string> temporary_files(const TemporaryFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path(""))) {
    std::string name = entry.path().filename().string();
    if (is_temporary_name(name)) names.insert(std::move(name));
  }
  return names;
}

TEST(OutputFile, IfOneCannotBePlacedAllStayAsTheyWere) {
  const std::array<std::string, 3> names = {"first", "second", "last"};
  for (std::size_t victim = 0; victim < names.size(); ++victim) {
    const TemporaryFolder folder;
    for (const std::string name : {"first", "second", "last", "obsolete"}) {
      EXPECT_NE(folder.file(name, "old " + name), "");
    }
    std::deque<OutputFile> files;
    std::vector<OutputFile*> together;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::set<std::string> before = temporary_files(folder);
      together.push_back(&files.emplace_back(folder.path(names[i])));
      files.back().write("new");
      if (i != victim) continue;
      for (const std::string& name : temporary_files(folder)) {
        if (!before.contains(name)) std::filesystem::remove(folder.path(name));
      }
    }
    const std::array<std::string_view, 1> obsolete = {"obsolete"};
    EXPECT_THROW(commit_together(together, obsolete), InputError);
    files.clear();
    for (const std::string name : {"first", "second", "last", "obsolete"}) {
      EXPECT_EQ(file_bytes(folder.path(name)), "old " + name) << victim;
    }
    EXPECT_TRUE(folder.has_only(4)) << victim;
  }
}

TEST(OutputFile, RemovesWhatKilledRunsLeftAndNothingElse) {
  const TemporaryFolder folder;
  EXPECT_NE(folder.file(".tertium.part-abcdefg1", "of a killed run"), "");
  const std::array<std::string, 5> others = {".tertium.part-abc", ".tertium.part-ABCDEFG1",
                                             "x.tertium.part-abcdefg1", ".tertium.part-abcdefg12",
                                             "labels.csv.part-abcdef"};
  for (const std::string& name : others) EXPECT_NE(folder.file(name, "of others"), "");
  OutputFile alive(folder.path("alive"));
  alive.write("of a living run");
  OutputFile(folder.path("next")).commit();
  EXPECT_EQ(temporary_files(folder).size(), 1U);
  alive.commit();
  EXPECT_EQ(file_bytes(folder.path("alive")), "of a living run");
  EXPECT_TRUE(folder.has_only(others.size() + 2));
}

TEST(OutputFile, ASignalCanRemoveWhatIsNotDone) {
  const TemporaryFolder folder;
  OutputFile file(folder.path("out"));
  file.write("half");
  EXPECT_TRUE(folder.has_only(1));
  remove_temporary_files();
  EXPECT_TRUE(folder.has_only(0));
}

TEST(OutputFile, RefusesWhatCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THROW(OutputFile{folder.path("")}, InputError);
  EXPECT_THROW(OutputFile{folder.path("no/such/folder")}, InputError);
}

}  // namespace
}  // namespace tertium::internal
