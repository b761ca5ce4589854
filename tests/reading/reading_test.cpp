#include "tests/reading/reading.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "tertium/core/number.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/delimited.hpp"
#include "tertium/reading/npy.hpp"

namespace tertium::internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const Named two_triplets = {{"triplets", "a b", "c,d", "e"},
                            {"triplets", "e", "c,d", "\xC3\xA9\"f"}};

TEST(Delimited, QuotesBlanksLineEndsAndBlankLines) {
  EXPECT_EQ(
      read_text("anchor,near,far\r\n\r\na b , \"c,d\" ,e\r\n\ne,\"c,d\",\"\xC3\xA9\"\"f\"").answers,
      two_triplets);
  EXPECT_EQ(read_text("anchor\tnear\tfar\na b\tc,d\te\ne\tc,d\t\"\xC3\xA9\"\"f\"\n").answers,
            two_triplets);
}

TEST(Delimited, ALineEndInsideQuotesDoesNotEndTheRow) {
  const NamedAnswers read = read_text("anchor,near,far,note\na,b,c,\"two\nlines\"\na,c,c,x\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "a", "b", "c"}}));
  ASSERT_EQ(read.report.self_comparison_places.size(), 1U);
  EXPECT_EQ(read.report.self_comparison_places[0].line, 4U);
}

TEST(Delimited, BlocksAreCutAtRowsWhateverTheirSize) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 200; ++i) {
    text +=
        std::to_string(i) + ",\"x" + std::string(static_cast<std::size_t>(i % 7), '\n') + "y\",z\n";
  }
  const std::string path = folder.file("a.csv", text);
  for (const std::size_t size : {1U, 7U, 64U, 1000U, 100000U}) {
    ByteSource source(path);
    TextBlocks blocks(source, size);
    TextBlock block;
    std::string joined;
    std::uint64_t line = 1;
    while (blocks.next(block)) {
      EXPECT_EQ(block.first_line, line);
      line += static_cast<std::uint64_t>(std::count(block.text.begin(), block.text.end(), '\n'));
      EXPECT_EQ(std::count(block.text.begin(), block.text.end(), '"') % 2, 0);
      joined += block.text;
    }
    EXPECT_EQ(joined, text) << size;
  }
}

TEST(Reading, GzipAlsoConcatenatedAndRefusedWhenCutOff) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.csv.gz");
  for (const char* part : {"anchor,near,far\na,b,c\n", "b,c,a\n"}) {
    gzFile file = gzopen(path.c_str(), "ab");
    gzputs(file, part);
    gzclose(file);
  }
  EXPECT_EQ(read_named({path}, {}).answers.size(), 2U);
  const std::string bytes = file_bytes(path);
  const std::string cut = folder.file("cut.gz", bytes.substr(0, bytes.size() - 5));
  EXPECT_THROW(read_named({cut}, {}), InputError);
}

TEST(Reading, NpyOfEveryTypeAndOrder) {
  const TemporaryFolder folder;
  const auto npy = [](const std::string& descr, bool fortran, const std::string& bytes) {
    std::string header = npy_header(descr, 2, 3);
    if (fortran) header.replace(header.find("False"), 5, "True ");
    return header + bytes;
  };
  const auto bytes = [](auto number) {
    return std::string(reinterpret_cast<const char*>(&number), sizeof number);
  };
  const auto row = [&]<class T>(std::initializer_list<T> numbers) {
    std::string all;
    for (const T n : numbers) all += bytes(n);
    return all;
  };
  const Named expected = {{"triplets", "1", "2", "3"}, {"triplets", "4", "5", "300"}};
  using I = std::int64_t;
  const auto read = [&](const std::string& content) {
    return read_text(content, {}, "a.npy").answers;
  };
  EXPECT_EQ(read(npy("<i8", false, row({I{1}, I{2}, I{3}, I{4}, I{5}, I{300}}))), expected);
  EXPECT_EQ(read(npy("<i8", true, row({I{1}, I{4}, I{2}, I{5}, I{3}, I{300}}))), expected);
  EXPECT_EQ(read(npy("<f4", false, row({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 300.0F}))), expected);
  const auto big = [](std::uint16_t n) {
    return static_cast<std::uint16_t>((n << 8U) | (n >> 8U));
  };
  EXPECT_EQ(read(npy(">u2", false, row({big(1), big(2), big(3), big(4), big(5), big(300)}))),
            expected);
  EXPECT_THAT(refusal(npy("<i8", false, row({I{1}, I{2}, I{3}})), {}, "a.npy"),
              HasSubstr("cut off"));
  EXPECT_THAT(refusal(npy("<i8", false, row({I{1}, I{2}, I{-3}, I{4}, I{5}, I{6}})), {}, "a.npy"),
              AllOf(HasSubstr("record 1"), HasSubstr("'-3'")));
  EXPECT_THAT(refusal(npy("<f8", false, row({1.0, 2.5, 3.0, 4.0, 5.0, 6.0})), {}, "a.npy"),
              HasSubstr("'2.5'"));
}

TEST(Reading, JsonLinesAndArrays) {
  EXPECT_EQ(read_text("{\"anchor\": \"a\", \"positive\": \"b\", \"negative\": \"c\"}\n"
                      "{\"negative\": \"c\", \"anchor\": \"b\", \"positive\": \"a\"}\n",
                      {}, "x.jsonl")
                .answers,
            (Named{{"triplets", "a", "b", "c"}, {"triplets", "b", "a", "c"}}));
  EXPECT_EQ(read_text("[[1,2,3],[4,5,6]]", {}, "x.json").answers,
            (Named{{"triplets", "1", "2", "3"}, {"triplets", "4", "5", "6"}}));
  EXPECT_THAT(refusal("[{\"anchor\": 1,\n \"near\": ", {}, "x.json"),
              AllOf(HasSubstr("line 2"), HasSubstr("cut off")));
}

TEST(Reading, DirectoryOfFilesByName) {
  const TemporaryFolder folder;
  EXPECT_THROW(expand_inputs({folder.path("")}), InputError);
  static_cast<void>(folder.file("b.csv", "anchor,near,far\nd,e,f\n"));
  static_cast<void>(folder.file("a.csv", "anchor,near,far\na,b,c\n"));
  static_cast<void>(folder.file("notes.md", "not answers"));
  EXPECT_EQ(read_named({folder.path("")}, {}).answers,
            (Named{{"triplets", "a", "b", "c"}, {"triplets", "d", "e", "f"}}));
}

TEST(Items, ListGivesNamesOrderAndUnmentionedItems) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.items_file = folder.file(
      "items.csv", "index,name,image_file\n0,Zebra,z.jpg\n1,Ant,a.jpg\n2,Bee,b.jpg\n3,Cow,c.jpg\n");
  const NamedAnswers read = read_text("anchor,near,far\n0,img/a.jpg,Bee\n", options);
  EXPECT_EQ(read.answers, (Named{{"triplets", "Zebra", "Ant", "Bee"}}));
  EXPECT_THAT(read.items, ElementsAre("Zebra", "Ant", "Bee", "Cow"));
  EXPECT_THAT(
      refusal("anchor,near,far\n0,1,4\n", options),
      AllOf(HasSubstr("line 2, column 3 (far)"), HasSubstr("'4'"), HasSubstr("--ids-from 1")));
  options.add_unknown_items = true;
  EXPECT_EQ(read_text("anchor,near,far\n0,1,4\n", options).items.back(), "4");
  options.add_unknown_items = false;
  options.ids_from = 1;
  EXPECT_EQ(read_text("anchor,near,far\n1,2,4\n", options).answers,
            (Named{{"triplets", "Zebra", "Ant", "Cow"}}));
  EXPECT_THAT(refusal("anchor,near,far\n1,2,5\n", options), HasSubstr("from 1 to 4"));
}

TEST(Items, NumbersAreTheirOwnNames) {
  EXPECT_TRUE(item_name_less("9", "10"));
  EXPECT_TRUE(item_name_less("10", "a"));
  EXPECT_TRUE(item_name_less("img9", "img10"));
  EXPECT_TRUE(item_name_less("img10a", "img10b"));
  EXPECT_EQ(read_text("anchor,near,far\n3.0,2,1\n").items[0], "3");
  ReadOptions options;
  options.ids_from = 1;
  EXPECT_THAT(refusal("anchor,near,far\n0,1,2\n", options), HasSubstr("ids from 1 on"));
}

struct Bad {
  const char* name;
  std::string content;
  std::vector<std::string> says;
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

/// The message without the file, which is another one in every reading.
std::string from_line(const std::string& message) { return message.substr(message.find("line")); }

class BadRows : public testing::TestWithParam<Bad> {};

TEST_P(BadRows, AreRefusedWithPlaceAndValueAndCanBeSkipped) {
  const Bad& bad = GetParam();
  const std::string message = refusal(bad.content);
  for (const std::string& part : bad.says) EXPECT_THAT(message, HasSubstr(part));
  ReadOptions skip;
  skip.skip_bad_rows = true;
  const NamedAnswers read = read_text(bad.content, skip);
  EXPECT_EQ(read.report.counts.bad, 1U);
  EXPECT_EQ(read.answers.size(), 2U);
  EXPECT_EQ(read.items.size(), 3U) << "a bad row must not leave items behind";
  ASSERT_EQ(read.report.bad_rows.size(), 1U);
  EXPECT_THAT(message, EndsWith(from_line(read.report.bad_rows[0].second)));
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BadRows,
    testing::Values(
        Bad{"few_cells", "anchor,near,far\na,b,c\nx,y\nb,c,a\n", {"line 3", "2 cells", "3 cells"}},
        Bad{"many_cells", "anchor,near,far\na,b,c\nx,y,z,w\nb,c,a\n", {"line 3", "4 cells"}},
        Bad{"cut_off", "anchor,near,far\na,b,c\nb,c,a\nx,y", {"line 4", "cut off"}},
        Bad{"empty_item",
            "anchor,near,far\na,b,c\nx,,z\nb,c,a\n",
            {"line 3, column 2 (near)", "empty"}},
        Bad{"negative_id", "anchor,near,far\n1,2,3\n7,-4,5\n3,2,1\n", {"line 3, column 2", "'-4'"}},
        Bad{"negative_weight",
            "anchor,near,far,weight\na,b,c,1\nx,y,z,-2\nb,c,a,1\n",
            {"line 3, column 4 (weight)", "'-2'"}},
        Bad{"infinite_weight",
            "anchor,near,far,weight\na,b,c,1\nx,y,z,inf\nb,c,a,1\n",
            {"line 3, column 4 (weight)", "'inf'"}},
        Bad{"weight_not_a_number",
            "anchor,near,far,weight\na,b,c,1\nx,y,z,lots\nb,c,a,1\n",
            {"'lots'"}},
        Bad{"invalid_utf8",
            "anchor,near,far\na,b,c\nx\xC3\xA9,y\xFF,z\nb,c,a\n",
            {"line 3, column 2 (near)", "\\xFF", "UTF-8"}},
        Bad{"strange_answer",
            "anchor,left,right,answer\na,b,c,b\nx,y,z,w\nb,c,a,a\n",
            {"line 3, column 4 (answer)", "'w'"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(BadFiles, AreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("empty file"));
  EXPECT_THAT(refusal(" \n \n"), HasSubstr("nothing but blanks"));
  EXPECT_THAT(refusal("anchor,near,far\n"), HasSubstr("a header and no rows"));
  EXPECT_THAT(refusal(std::string("\x01\x02\0\x03garbage\xFE", 12)), HasSubstr("binary"));
  EXPECT_THAT(refusal("anchor,near,far\na,\"b,c\n"), HasSubstr("never closed"));
  EXPECT_THAT(refusal("[]", {}, "x.json"), HasSubstr("records"));
  EXPECT_THROW(read_named({"/no/such/file.csv"}, {}), InputError);
}

TEST(BadFiles, TripletsAndQuadrupletsInOneRun) {
  const TemporaryFolder folder;
  const std::string triplets = folder.file("t.csv", "anchor,near,far\na,b,c\n");
  const std::string quadruplets = folder.file("q.csv", "i,j,k,l\na,b,c,d\n");
  try {
    read_named({triplets, quadruplets}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("q.csv"), HasSubstr("t.csv")));
  }
}

TEST(Flags, ContradictionsAreRefused) {
  const auto refused = [](auto change) {
    ReadOptions options;
    change(options);
    EXPECT_THROW(validate(options), InputError);
  };
  refused([](ReadOptions& o) { o.near = "x", o.answer = "y"; });
  refused([](ReadOptions& o) { o.odd = "last", o.kind = ScreenKind::triplets; });
  refused([](ReadOptions& o) { o.odd = "last", o.answer = "x"; });
  refused([](ReadOptions& o) { o.anchor = "x", o.kind = ScreenKind::quadruplets; });
  refused([](ReadOptions& o) { o.ids_from = 2; });
  refused([](ReadOptions& o) { o.add_unknown_items = true; });
}

/// The line or record of the first bad answer, read by so many threads.
std::uint64_t first_bad_line(const std::string& path, int threads) {
  tertium::Run run({.threads = threads});
  std::vector<StoredAnswers> stored(static_cast<std::size_t>(threads));
  std::vector<AnswerSink*> sinks;
  for (auto& sink : stored) sinks.push_back(&sink);
  try {
    read_answers({path}, {}, sinks, run);
  } catch (const InputError& error) {
    return error.parts().place.line;
  }
  return 0;
}

TEST(Reading, TheFirstBadLineIsReportedAtAnyNumberOfThreads) {
  // Bad rows far behind one another, so that they fall into different blocks.
  const TemporaryFolder folder;
  const auto text = [](int rows, const std::string& good, const std::string& bad) {
    std::string all;
    for (int i = 0; i < rows; ++i) {
      all += i == rows / 2 || i == rows / 4 * 3 || i == rows - 1 ? bad : good;
    }
    return all;
  };
  const std::string csv =
      folder.file("a.csv", "anchor,near,far\n" + text(600000, "7,8,9\n", "7,x\n"));
  const std::string good = R"({"anchor":7,"near":8,"far":9})";
  const std::string bad = R"({"anchor":7,"near":"","far":9})";
  const std::string lines = folder.file("a.jsonl", text(90000, good + "\n", bad + "\n"));
  const std::string array = folder.file(
      "a.json", "[" + text(90000, good + ",", bad + ",") + R"({"anchor":7,"near":8,"far":9}])");
  for (const int threads : {1, 2, 5}) {
    EXPECT_EQ(first_bad_line(csv, threads), 300002U);
    EXPECT_EQ(first_bad_line(lines, threads), 45001U);
    EXPECT_EQ(first_bad_line(array, threads), 45001U);
  }
}

/// Rows of three different numbers and what else the header asks for, every cell between marks.
std::string rows_of_numbers(const std::string& header, const std::string& mark) {
  std::mt19937 random(3);
  std::string text = header + "\n";
  for (int row = 0; row < 3000; ++row) {
    std::vector<std::string> cells;
    for (unsigned c = 0; c < 3; ++c) cells.push_back(std::to_string(3 * (random() % 40) + c));
    if (header.find("left") != std::string::npos) {
      const auto left = 1 + random() % 2;
      cells.insert(cells.end(), {cells[left], cells[3 - left]});
    }
    if (header.find("puid") != std::string::npos) cells.push_back(std::to_string(random() % 4));
    for (std::size_t c = 0; c < cells.size(); ++c)
      text += (c > 0 ? "," : "") + mark + cells[c] + mark;
    text += "\n";
  }
  return text;
}

TEST(Reading, PlainNumbersAreReadLikeAnyOtherCells) {
  // Numbers in the columns that matter are read in a quicker way; quotation marks turn it off.
  for (const std::string header : {"anchor,near,far", "head,winner,loser,puid",
                                   "head,winner,loser,left,right", "item1,item2,odd"}) {
    ReadOptions options;
    if (header.ends_with("odd")) options.odd = "odd";
    const NamedAnswers quick = read_text(rows_of_numbers(header, ""), options);
    const NamedAnswers slow = read_text(rows_of_numbers(header, "\""), options);
    EXPECT_EQ(quick.answers.size(), 3000U) << header;
    EXPECT_EQ(quick.answers, slow.answers) << header;
    EXPECT_EQ(quick.participants, slow.participants) << header;
    EXPECT_EQ(quick.positions, slow.positions) << header;
    EXPECT_EQ(quick.items, slow.items) << header;
    EXPECT_EQ(quick.report.counts.rows, slow.report.counts.rows) << header;
    EXPECT_EQ(quick.report.counts.comparisons, slow.report.counts.comparisons) << header;
    const bool tells_sides = header.find("left") != std::string::npos;
    const bool tells_people = header.find("puid") != std::string::npos;
    EXPECT_EQ(std::count(quick.positions.begin(), quick.positions.end(), 0) == 0, tells_sides);
    EXPECT_EQ(std::count(quick.participants.begin(), quick.participants.end(), "") == 0,
              tells_people);
  }
}

TEST(Reading, ParticipantsBesideNumbersAreNamedLikeAnyOthers) {
  // The first row is always read cell by cell; marks in the column of notes make all rows be.
  const std::string cells[] = {"S1", " S1 ", "12", "NA", "", "S 2", "\xC3\xA9", "S1", "012"};
  for (const std::string end : {"\n", "\r\n"}) {
    std::string quick = "anchor,near,far,note,participant" + end;
    std::string slow = quick;
    for (std::size_t row = 0; row < 50; ++row) {
      const std::string who = cells[row * row % std::size(cells)];
      quick += fmt::format("{},{},{},x,{}{}", row % 7, 7 + row % 5, 12 + row % 3, who, end);
      slow += fmt::format("{},{},{},\"x\",{}{}", row % 7, 7 + row % 5, 12 + row % 3, who, end);
    }
    const NamedAnswers read = read_text(quick);
    EXPECT_EQ(read.answers, read_text(slow).answers);
    EXPECT_EQ(read.participants, read_text(slow).participants);
    for (std::size_t row = 0; row < 50; ++row) {
      const std::string who = cells[row * row % std::size(cells)];
      EXPECT_EQ(read.participants[row], who == "NA" ? "" : trimmed(who));
    }
  }
}

TEST(Reading, CanBeStopped) {
  const TemporaryFolder folder;
  std::string text = "anchor,near,far\n";
  for (int i = 0; i < 400000; ++i) text += "1,2,3\n";
  const std::string path = folder.file("a.csv", text);
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  tertium::Run run({.progress = [](const std::string&, const ProgressUpdate&) { return false; }});
  EXPECT_THROW(read_answers({path}, {}, {&sink, 1}, run), Cancelled);
}

}  // namespace
}  // namespace tertium::internal
