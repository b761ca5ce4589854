#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/verify.hpp"
#include "tertium/verify/pair_sums.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using testing::HasSubstr;

using NamedSums = std::map<std::pair<std::string, std::string>, std::int64_t>;

/// The integers by the names of both items, so that the order of rows does not matter.
NamedSums named(const std::vector<std::string>& items, const IntegerTriangle& triangle) {
  NamedSums sums;
  for (std::size_t i = 0; i < triangle.size(); ++i) {
    for (std::size_t at = triangle.row_start[i]; at < triangle.row_start[i + 1]; ++at) {
      EXPECT_LT(triangle.column[at], i);
      sums[std::minmax(items[i], items[triangle.column[at]])] = triangle.value[at];
    }
  }
  EXPECT_EQ(sums.size(), triangle.value.size());  // no pair twice
  return sums;
}

std::set<std::string> set_of(const std::vector<std::string>& items) {
  return {items.begin(), items.end()};
}

GivenSums add_up(const std::vector<InputFile>& files, Repeats repeats = Repeats::sum,
                 int threads = 1, const ReadOptions& options = {}) {
  Run run({.threads = threads});
  return add_up_answers(files, options, repeats, run);
}

/// Both ways of adding up, one written for speed and one for being plain, must give the same.
void expect_the_producers_sums(const std::string& file, const ReadOptions& options, Repeats repeats,
                               int threads) {
  Run run({.threads = threads});
  LoadOptions load;
  load.read = options;
  load.repeats = repeats;
  const SimilarityMatrix similarity = load_similarity({file}, load, run).similarity;
  const GivenSums given = add_up_answers({file}, options, repeats, run);
  EXPECT_EQ(given.kind, similarity.rule);
  EXPECT_EQ(given.repeats, repeats);
  EXPECT_EQ(given.comparisons, similarity.comparisons);
  EXPECT_EQ(given.triangle.denominator, similarity.denominator);
  EXPECT_EQ(given.triangle.size(), given.items.size());
  if (options.items_file.empty()) {
    const IntegerTriangle& expected = similarity;
    EXPECT_EQ(given.items, similarity.items);
    EXPECT_TRUE(given.triangle == expected);
  } else {  // the producer's rows are those of the list
    EXPECT_EQ(set_of(given.items), set_of(similarity.items));
    EXPECT_EQ(named(given.items, given.triangle), named(similarity.items, similarity));
  }
}

struct FileOfAnswers {
  ScreenKind kind = ScreenKind::triplets;
  std::size_t items = 7;
  std::size_t rows = 2000;
  std::vector<std::string> weights = {};  // to draw from; empty: no such column
  std::string prefix = "";                // of the names of the items
};

std::string text_of(const FileOfAnswers& file, unsigned seed) {
  const bool pairs = file.kind == ScreenKind::quadruplets;
  const bool picks = file.kind == ScreenKind::odd_one_out || file.kind == ScreenKind::most_central;
  std::string text = pairs ? "i,j,k,l" : picks ? "item1,item2,item3,answer" : "anchor,near,far";
  text += file.weights.empty() ? "\n" : ",weight\n";
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::size_t> item(0, file.items - 1);
  for (std::size_t row = 0; row < file.rows; ++row) {
    std::array<std::string, 4> cells;
    for (std::string& cell : cells) cell = file.prefix + std::to_string(item(random));
    if (picks) cells[3] = cells[random() % 3];
    text += cells[0] + "," + cells[1] + "," + cells[2];
    if (pairs || picks) text += "," + cells[3];
    if (!file.weights.empty()) text += "," + file.weights[random() % file.weights.size()];
    text += "\n";
  }
  return text;
}

TEST(AddUpAnswers, ByHand) {
  const TemporaryFolder folder;
  const std::string file = folder.file("t.csv",
                                       "anchor,near,far,weight\n"
                                       "b,a,c,1\n"
                                       "a,b,c,0.5\n"
                                       "b,c,d,2\n");
  const GivenSums given = add_up({file});
  EXPECT_EQ(given.kind, "adds3");
  EXPECT_EQ(given.comparisons, 3U);
  EXPECT_EQ(given.triangle.denominator, 1'000'000);
  EXPECT_EQ(named(given.items, given.triangle), (NamedSums{{{"a", "b"}, 1'500'000},
                                                           {{"a", "c"}, -500'000},
                                                           {{"b", "c"}, 1'000'000},
                                                           {{"b", "d"}, -2'000'000}}));
  const GivenSums once = add_up({file}, Repeats::once);
  EXPECT_EQ(once.repeats, Repeats::once);
  EXPECT_EQ(once.triangle.denominator, 1);
  EXPECT_EQ(named(once.items, once.triangle),  // those of b and c cancel
            (NamedSums{{{"a", "b"}, 2}, {{"a", "c"}, -1}, {{"b", "d"}, -1}}));
}

TEST(AddUpAnswers, TwoPairsByHand) {
  const TemporaryFolder folder;
  const GivenSums given = add_up({folder.file("q.csv", "i,j,k,l\n3,1,2,4\n1,3,1,2\n")});
  EXPECT_EQ(given.kind, "adds4");
  EXPECT_EQ(given.comparisons, 2U);
  EXPECT_EQ(given.triangle.denominator, 1);
  EXPECT_EQ(named(given.items, given.triangle),
            (NamedSums{{{"1", "3"}, 2}, {{"2", "4"}, -1}, {{"1", "2"}, -1}}));
}

TEST(AddUpAnswers, GivesTheProducersSums) {
  const TemporaryFolder folder;
  unsigned seed = 0;
  for (const ScreenKind kind : {ScreenKind::triplets, ScreenKind::quadruplets,
                                ScreenKind::odd_one_out, ScreenKind::most_central}) {
    for (const std::vector<std::string>& weights :
         {std::vector<std::string>{}, {"0", "1", "2", "7"}, {"0.5", "1", "2.25"}}) {
      for (const Repeats repeats : {Repeats::sum, Repeats::once, Repeats::majority}) {
        SCOPED_TRACE(testing::Message() << to_string(kind) << " " << to_string(repeats) << " "
                                        << testing::PrintToString(weights));
        ++seed;
        const FileOfAnswers file{.kind = kind, .weights = weights, .prefix = seed % 2 ? "" : "i"};
        ReadOptions options;
        options.kind = kind;
        const std::string path = folder.file("a.csv", text_of(file, seed));
        for (const int threads : {1, 3}) {
          expect_the_producers_sums(path, options, repeats, threads);
        }
      }
    }
  }
}

TEST(AddUpAnswers, GivesTheProducersSumsOfManyBlocksAndPairs) {
  const TemporaryFolder folder;
  for (const std::size_t items : {500U, 4300U}) {
    const FileOfAnswers file{
        .items = items, .rows = 150'000, .prefix = items == 500 ? "" : "item "};
    const std::string path = folder.file("a.csv", text_of(file, 1));
    for (const int threads : {1, 4}) expect_the_producers_sums(path, {}, Repeats::sum, threads);
  }
}

TEST(AddUpAnswers, KnowsItemsOfAListThatNobodyWasAskedAbout) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.csv", text_of({.prefix = "i"}, 1));
  ReadOptions options;
  options.items_file = folder.file("items.csv", "name\ni6\ni5\ni4\nnew\ni3\ni2\ni1\ni0\n");
  expect_the_producers_sums(path, options, Repeats::sum, 1);
  expect_the_producers_sums(path, options, Repeats::majority, 2);
  EXPECT_EQ(add_up({path}, Repeats::sum, 1, options).items.size(), 8U);
}

TEST(AddUpAnswers, DoesNotDependOnTheNumberOfThreads) {
  const TemporaryFolder folder;
  const FileOfAnswers file{.items = 60, .rows = 200'000, .weights = {"1", "2"}, .prefix = "i"};
  // The only fraction comes last: whoever reads the last block must tell the others.
  const std::string path = folder.file("a.csv", text_of(file, 2) + "i1,i2,i3,0.5\n");
  const GivenSums one = add_up({path});
  const GivenSums four = add_up({path}, Repeats::sum, 4);
  EXPECT_EQ(one.items, four.items);
  EXPECT_TRUE(one.triangle == four.triangle);
  EXPECT_EQ(one.triangle.denominator, weight_one);
}

TEST(AddUpAnswers, IsExactUpTo64BitsAndRefusesMore) {
  const TemporaryFolder folder;
  const auto rows = [&](std::size_t count, const std::string& name) {
    std::string text = "anchor,near,far,weight\n";
    for (std::size_t row = 0; row < count; ++row) text += name + ",b,c,1000000000\n";
    return folder.file("a.csv", text);
  };
  const GivenSums given = add_up({rows(9000, "a")});
  EXPECT_EQ(named(given.items, given.triangle),
            (NamedSums{{{"a", "b"}, 9'000'000'000'000}, {{"a", "c"}, -9'000'000'000'000}}));
  EXPECT_THROW(add_up({rows(9300, "a")}), InputError);
  // Several blocks: no thread alone may have too much.
  EXPECT_THROW(add_up({rows(9300, std::string(500, 'a'))}, Repeats::sum, 4), InputError);
}

TEST(AddUpAnswers, RefusesWhatTheProducerRefuses) {
  const TemporaryFolder folder;
  const std::string same = folder.file("same.csv", "anchor,near,far\na,a,b\n");
  for (const Repeats repeats : {Repeats::sum, Repeats::once}) {
    try {
      add_up({same}, repeats);
      FAIL() << "accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("no answer that can be used"));
    }
  }
  const std::string triplets = folder.file("t.csv", "anchor,near,far\na,b,c\n");
  const std::string quadruplets = folder.file("q.csv", "i,j,k,l\na,b,c,d\n");
  EXPECT_THROW(add_up({triplets, quadruplets}), InputError);
}

TEST(PairSums, AddsUpWhateverComesInWhateverOrder) {
  std::mt19937 random(1);
  constexpr std::uint32_t few = verifying::PairSums::few;
  for (const auto& [first, size] : {std::pair(0U, 2U), std::pair(0U, 1000U),
                                    std::pair(few - 10, 40U), std::pair(0U, 2 * few)}) {
    verifying::PairSums sums;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> expected;
    for (int round = 0; round < 300'000; ++round) {
      const auto i = static_cast<std::uint32_t>(first + random() % size);
      const auto j = static_cast<std::uint32_t>(first + random() % size);
      if (i == j) continue;
      const std::int64_t number = static_cast<std::int64_t>(random() % 3) - 1;
      sums.add(i, j, number);
      expected[{std::max(i, j), std::min(i, j)}] += number;
    }
    std::erase_if(expected, [](const auto& sum) { return sum.second == 0; });
    auto next = expected.begin();
    const std::vector<verifying::PairSum> found_sums = sums.take();
    ASSERT_EQ(found_sums.size(), expected.size());
    for (const verifying::PairSum& found : found_sums) {
      EXPECT_EQ(std::pair(found.high, found.low), next->first);
      EXPECT_EQ(found.sum, next->second);
      ++next;
    }
  }
}

TEST(TriangleOf, HasRowsWithoutPairs) {
  verifying::PairSums sums;
  sums.add(1, 3, 5);
  sums.add(3, 0, 7);
  const IntegerTriangle triangle = verifying::triangle_of(sums, 5, 10);
  EXPECT_EQ(triangle.row_start, (std::vector<std::uint64_t>{0, 0, 0, 0, 2, 2}));
  EXPECT_EQ(triangle.column, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(triangle.value, (std::vector<std::int64_t>{7, 5}));
  EXPECT_EQ(triangle.denominator, 10);
  verifying::PairSums none;
  EXPECT_EQ(verifying::triangle_of(none, 2, 1).row_start, (std::vector<std::uint64_t>{0, 0, 0}));
}

}  // namespace
}  // namespace tertium::internal
