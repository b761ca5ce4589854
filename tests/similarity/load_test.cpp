#include "tertium/similarity/load.hpp"

#include <map>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tertium/answers/data_check.hpp"
#include "tests/answers/screens.hpp"
#include "tests/sanitized.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

LoadedSimilarity load_kept(const std::vector<InputFile>& files, int threads,
                           const ReadOptions& read = {}, Repeats repeats = Repeats::sum) {
  LoadOptions options;
  options.read = read;
  options.repeats = repeats;
  options.keep_answers = true;
  Run run({.threads = threads});
  return load_similarity(files, options, run);
}

/// What one sink keeps that reads everything in order.
struct Stored {
  std::vector<Answer> answers;
  ItemTable items;
};

Stored read_stored(const std::vector<InputFile>& files) {
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  Run run({.threads = 1});
  read_answers(files, {}, {&sink, 1}, run);
  return {stored.answers(), stored.items};
}

/// The list holds these answers, by the row of their first item and then in order.
void expect_list_of(const LoadedSimilarity& loaded, const Stored& stored) {
  std::map<std::string, std::uint32_t> row_of;
  for (std::uint32_t row = 0; row < loaded.similarity.size(); ++row) {
    row_of[loaded.similarity.items[row]] = row;
  }
  std::vector<Answer> expected = stored.answers;
  for (Answer& answer : expected) {
    for (ItemId& item : std::span(answer.items).first(items_in(answer.kind))) {
      item = row_of.at(stored.items.name(item));
    }
  }
  std::ranges::stable_sort(expected, {}, [](const Answer& answer) { return answer.items[0]; });
  const ComparisonList& list = loaded.answers->list;
  ASSERT_EQ(list.answers(), expected.size());
  for (std::size_t t = 0; t < expected.size(); ++t) {
    const Answer found = list.given[t];
    ASSERT_EQ(found.kind, expected[t].kind);
    ASSERT_EQ(found.items, expected[t].items);
    ASSERT_EQ(found.weight, expected[t].weight);
    ASSERT_EQ(found.participant, expected[t].participant);
  }
  EXPECT_EQ(shared_screens(list.answers(), [&](std::size_t t) { return list.screen_of(t); }),
            shared_screens(expected.size(), [&](std::size_t t) { return expected[t].screen; }));
  EXPECT_EQ(loaded.answers->repeat_agreement, repeat_agreement(stored.answers));
}

/// S and the sums of the list are the same numbers; the list may have zeros besides.
void expect_sums_of_similarity(const LoadedSimilarity& loaded) {
  const IntegerTriangle& pattern = loaded.answers->list.pattern;
  IntegerTriangle without_zeros;
  without_zeros.denominator = pattern.denominator;
  without_zeros.row_start.push_back(0);
  for (std::size_t row = 0; row < pattern.size(); ++row) {
    for (auto at = pattern.row_start[row]; at < pattern.row_start[row + 1]; ++at) {
      if (pattern.value[at] == 0) continue;
      without_zeros.column.push_back(pattern.column[at]);
      without_zeros.value.push_back(pattern.value[at]);
    }
    without_zeros.row_start.push_back(without_zeros.value.size());
  }
  EXPECT_EQ(without_zeros, static_cast<const IntegerTriangle&>(loaded.similarity));
  std::vector<std::int64_t> sums;
  const std::vector<AnswerFactor> once(loaded.answers->list.answers(), 1);
  add_up(loaded.answers->list, once, sums);
  EXPECT_EQ(sums, pattern.value);
}

/// Rows for several blocks of text: some with names, some with blanks, so that no way of reading
/// them is used all the time; new items and participants appear everywhere.
std::string large_table(const std::string& header, std::size_t rows) {
  std::mt19937 random(11);
  std::string text = header + "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const auto item = [&](unsigned offset) {
      const auto number = 3 * (random() % (10 + row / 1000)) + offset;
      return random() % 100 == 0 ? fmt::format(" item{}", number) : std::to_string(number);
    };
    text += fmt::format("{},{},{}", item(0), item(1), item(2));
    if (header.find("participant") != std::string::npos) {
      text += fmt::format(",P{}", random() % (3 + row / 5000));
    }
    if (header.find("weight") != std::string::npos) {
      text += random() % 20 == 0 ? ",2.5" : ",1";
    }
    if (header.find("votes") != std::string::npos) {
      text += fmt::format(",{},{}", random() % 3, random() % 3);
    }
    text += "\n";
  }
  return text;
}

TEST(Load, KeepsAnswersInTheOrderOfTheInputAtAnyNumberOfThreads) {
  const TemporaryFolder folder;
  for (const std::string header :
       {"anchor,near,far", "anchor,near,far,participant", "anchor,near,far,participant,weight",
        "anchor,b,c,votes_b_nearer,votes_c_nearer"}) {
    const std::string plain = folder.file("a.csv", large_table(header, 150000));
    const std::string more = folder.file("b.csv", large_table(header, 3000));
    const Stored stored = read_stored({plain, more});
    for (const int threads : {1, 2, 5}) {
      if (sanitized && threads != 5) continue;
      SCOPED_TRACE(fmt::format("{}, {} threads", header, threads));
      const LoadedSimilarity loaded = load_kept({plain, more}, threads);
      expect_list_of(loaded, stored);
      expect_sums_of_similarity(loaded);
    }
  }
}

/// The rows of a table as JSON objects, with all of its values as texts.
std::vector<std::string> records_of(const std::string& table) {
  const auto split = [](const std::string& text, char mark) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, mark);) parts.push_back(part);
    return parts;
  };
  const std::vector<std::string> rows = split(table, '\n');
  const std::vector<std::string> header = split(rows.at(0), ',');
  std::vector<std::string> records;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    const std::vector<std::string> cells = split(rows[row], ',');
    std::string record;
    for (std::size_t c = 0; c < header.size(); ++c) {
      record += fmt::format("{}\"{}\":\"{}\"", c == 0 ? "{" : ",", header[c], cells[c]);
    }
    records.push_back(record + "}");
  }
  return records;
}

TEST(Load, KeepsRecordsInTheOrderOfTheInputAtAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string table = large_table("anchor,near,far,participant", 50000);  // several parts
  const std::vector<std::string> records = records_of(table);
  const std::string lines = folder.file("a.jsonl", fmt::format("{}\n", fmt::join(records, "\n")));
  const std::string array = folder.file("a.json", fmt::format("[{}]", fmt::join(records, ",")));
  const std::string more = folder.file("b.csv", large_table("anchor,near,far", 3000));
  const Stored stored = read_stored({folder.file("a.csv", table), more});
  for (const std::string& file : {lines, array}) {
    for (const int threads : {1, 2, 5}) {
      if (sanitized && threads != 5) continue;
      SCOPED_TRACE(fmt::format("{}, {} threads", file, threads));
      const LoadedSimilarity loaded = load_kept({file, more}, threads);
      expect_list_of(loaded, stored);
      expect_sums_of_similarity(loaded);
    }
  }
}

TEST(Load, KeepsAnswersOfSeveralFormatsInOrder) {
  const TemporaryFolder folder;
  const std::vector<InputFile> files = {
      folder.file("a.csv", "anchor,near,far,participant\n2,1,0,eve\n0,1,2,adam\n"),
      folder.file("b.json", R"([{"anchor": 0, "near": 2, "far": 5, "participant": "seth"},
                                {"anchor": 2, "near": 5, "far": 1, "participant": "adam"}])"),
      folder.file("c.jsonl",
                  "{\"anchor\":5,\"near\":1,\"far\":0,\"participant\":\"enos\"}\n"
                  "{\"anchor\":0,\"near\":1,\"far\":5,\"participant\":\"eve\"}\n"),
      folder.file("d.csv", "item1,item2,odd,participant\n0,1,2,enos\n"),
      folder.file("e.csv",
                  "ref,stim1,stim2,stim3,clicks,participant\n"
                  "1,2,5,0,\"['stim1', 'stim2']\",noah\n")};
  const Stored stored = read_stored(files);
  ASSERT_EQ(stored.answers.size(), 10U);
  for (const int threads : {1, 3}) {
    const LoadedSimilarity loaded = load_kept(files, threads);
    expect_list_of(loaded, stored);
    expect_sums_of_similarity(loaded);
  }
}

TEST(Load, KeepsTheAnswersThatCount) {
  const TemporaryFolder folder;
  const std::string file =
      folder.file("a.csv", "anchor,near,far\nb,a,c\nb,c,a\nb,a,c\na,b,c\na,b,c\nc,a,b\nc,b,a\n");
  for (const Repeats repeats : {Repeats::once, Repeats::majority}) {
    const LoadedSimilarity loaded = load_kept({file}, 2, {}, repeats);
    expect_sums_of_similarity(loaded);
    // (a; b, c) once, (b; a, c) both ways or a, and (c; a, b) both ways or not at all.
    EXPECT_EQ(loaded.answers->list.answers(), repeats == Repeats::once ? 5U : 2U);
    EXPECT_EQ(loaded.answers->repeat_agreement, repeat_agreement(read_stored({file}).answers));
  }
}

TEST(Load, TheCeilingIsThatOfTheKindOfQuestion) {
  const TemporaryFolder folder;
  const std::string three = folder.file("a.csv", "item1,item2,odd\na,b,c\na,b,c\nb,c,a\nb,d,a\n");
  const std::string two = folder.file("b.csv", "anchor,near,far\na,b,c\na,b,c\na,c,b\nb,d,a\n");
  for (const auto& [file, kind] :
       {std::pair{three, QuestionKind::odd_one_out}, {two, QuestionKind::triplet}}) {
    const LoadedSimilarity loaded = load_kept({file}, 1);
    EXPECT_DOUBLE_EQ(*loaded.answers->repeat_agreement, 1.0 / 3);  // of three answers two agree
    EXPECT_EQ(loaded.answers->prediction_ceiling, prediction_ceiling(1.0 / 3, kind));
  }
}

}  // namespace
}  // namespace tertium::internal
