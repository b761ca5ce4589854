#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "tertium/error.hpp"
#include "tertium/similarity/accumulator.hpp"
#include "tertium/similarity/eigen_matrix.hpp"
#include "tertium/similarity/export.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/similarity/precomputed.hpp"
#include "tertium/similarity/snapshot.hpp"
#include "tests/shared_data.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Dense = std::vector<std::vector<double>>;

Dense dense(const SimilarityMatrix& similarity) {
  Dense matrix(similarity.size(), std::vector<double>(similarity.size()));
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const std::size_t j = similarity.column[at];
      EXPECT_LT(j, i);
      EXPECT_NE(similarity.value[at], 0);
      matrix[i][j] = matrix[j][i] =
          static_cast<double>(similarity.value[at]) / static_cast<double>(similarity.denominator);
    }
  }
  return matrix;
}

using Triplet = std::array<std::size_t, 3>;

/// Equation (AddS-3) of the paper, term by term, for a set of triplets.
Dense adds3_by_definition(const std::set<Triplet>& triplets, std::size_t size) {
  const auto in = [&](std::size_t i, std::size_t j, std::size_t r) {
    return triplets.contains({i, j, r}) ? 1.0 : 0.0;
  };
  Dense s(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t r = 0; r < size; ++r) {
        if (i == j || r == i || r == j) continue;
        s[i][j] += (in(i, j, r) - in(i, r, j)) + (in(j, i, r) - in(j, r, i));
      }
    }
  }
  return s;
}

LoadedSimilarity load(const std::vector<std::string>& files, int threads = 1,
                      Repeats repeats = Repeats::sum) {
  LoadOptions options;
  options.repeats = repeats;
  tertium::Run run({.threads = threads});
  return load_similarity({files.begin(), files.end()}, options, run);
}

std::set<Triplet> random_triplets(std::size_t size, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::size_t> item(0, size - 1);
  std::set<Triplet> triplets;
  while (triplets.size() < count) {
    const Triplet t{item(random), item(random), item(random)};
    if (t[0] != t[1] && t[0] != t[2] && t[1] != t[2]) triplets.insert(t);
  }
  return triplets;
}

std::string as_csv(const std::vector<Triplet>& triplets, const std::string& prefix = "") {
  std::string text = "anchor,near,far\n";
  for (const auto& [a, b, c] : triplets) {
    text += prefix + std::to_string(a) + "," + prefix + std::to_string(b) + "," + prefix +
            std::to_string(c) + "\n";
  }
  return text;
}

TEST(AddS3, IsThePapersFormula) {
  const TemporaryFolder folder;
  for (const auto& [size, count, seed] :
       {std::tuple(3, 4, 1), std::tuple(12, 300, 2), std::tuple(30, 2000, 3)}) {
    const auto triplets =
        random_triplets(static_cast<std::size_t>(size), static_cast<std::size_t>(count),
                        static_cast<unsigned>(seed));
    const std::string file = folder.file("t.csv", as_csv({triplets.begin(), triplets.end()}));
    EXPECT_EQ(dense(load({file}).similarity),
              adds3_by_definition(triplets, static_cast<std::size_t>(size)));
  }
}

TEST(AddS4, IsThePapersFormulaOnUnorderedPairs) {
  std::mt19937 random(4);
  std::uniform_int_distribution<std::size_t> item(0, 8);
  std::vector<std::array<std::size_t, 4>> quadruplets;
  std::string text = "i,j,k,l\n";
  while (quadruplets.size() < 400) {
    const std::array<std::size_t, 4> q{item(random), item(random), item(random), item(random)};
    const std::set<std::size_t> first{q[0], q[1]};
    const std::set<std::size_t> second{q[2], q[3]};
    if (first.size() < 2 || second.size() < 2 || first == second) continue;
    quadruplets.push_back(q);
    for (std::size_t i = 0; i < 4; ++i) text += std::to_string(q[i]) + (i < 3 ? "," : "\n");
  }
  Dense expected(9, std::vector<double>(9));
  for (std::size_t i = 0; i < 9; ++i) {
    for (std::size_t j = 0; j < 9; ++j) {
      for (const auto& q : quadruplets) {
        const std::set<std::size_t> pair{i, j};
        if (pair == std::set<std::size_t>{q[0], q[1]}) expected[i][j] += 1;
        if (pair == std::set<std::size_t>{q[2], q[3]}) expected[i][j] -= 1;
      }
    }
  }
  const TemporaryFolder folder;
  const auto similarity = load({folder.file("q.csv", text)}).similarity;
  EXPECT_EQ(similarity.rule, "adds4");
  EXPECT_EQ(dense(similarity), expected);
}

class SharedDataSimilarity : public SharedData {};

TEST_F(SharedDataSimilarity, CarIsThePapersFormula) {
  std::set<Triplet> triplets;
  std::ifstream file(data("car/triplets.csv"));
  std::string line;
  std::getline(file, line);
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t c = 0;
  char comma = 0;
  while (file >> a >> comma >> b >> comma >> c) triplets.insert({a, b, c});
  ASSERT_EQ(triplets.size(), 12112U);
  const Dense expected = adds3_by_definition(triplets, 60);
  EXPECT_EQ(dense(load({data("car/triplets.csv")}).similarity), expected);
  EXPECT_EQ(dense(load({data("car/central.csv")}).similarity), expected);
}

// One by one, in chunks, in parallel, by merging snapshots: the identical matrix. The second size
// is beyond the square table.

class Ways : public testing::TestWithParam<std::size_t> {};

TEST_P(Ways, AllGiveTheIdenticalMatrix) {
  const std::size_t size = GetParam();
  const TemporaryFolder folder;
  const auto set = random_triplets(size, 150000, 5);
  std::vector<Triplet> triplets(set.begin(), set.end());
  std::shuffle(triplets.begin(), triplets.end(), std::mt19937(6));
  const std::string numbers = folder.file("t.csv", as_csv(triplets));
  const SimilarityMatrix reference = load({numbers}).similarity;
  EXPECT_EQ(reference.comparisons, triplets.size());

  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> expected;
  for (const auto& [a, b, c] : triplets) {
    expected[std::minmax(a, b)] += 1;
    expected[std::minmax(a, c)] -= 1;
  }
  std::erase_if(expected, [](const auto& entry) { return entry.second == 0; });
  ASSERT_EQ(reference.nonzeros(), expected.size());
  std::vector<std::int64_t> mentions(size);
  for (const auto& t : triplets) {
    for (const std::size_t item : t) ++mentions[item];
  }
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const std::size_t item_i = std::stoul(reference.items[i]);
    EXPECT_EQ(static_cast<std::int64_t>(reference.mentions[i]), mentions[item_i]);
    for (std::size_t at = reference.row_start[i]; at < reference.row_start[i + 1]; ++at) {
      const std::size_t item_j = std::stoul(reference.items[reference.column[at]]);
      ASSERT_EQ(reference.value[at], expected.at({item_j, item_i}));
    }
  }

  for (const int threads : {2, 3}) EXPECT_EQ(load({numbers}, threads).similarity, reference);

  tertium::Run run;
  Accumulator one_by_one;
  for (const auto& [a, b, c] : triplets) {
    Answer answer;
    answer.items = {one_by_one.items.add(std::to_string(a)),
                    one_by_one.items.add(std::to_string(b)),
                    one_by_one.items.add(std::to_string(c)), 0};
    one_by_one.add(answer);
  }
  EXPECT_EQ(one_by_one.snapshot(0, run), reference);
  EXPECT_EQ(one_by_one.snapshot(0, run), reference)
      << "a snapshot leaves the accumulator as it was";

  const auto half = triplets.begin() + 100000;
  const std::string first = folder.file("1.csv", as_csv({triplets.begin(), half}));
  const std::string second = folder.file("2.csv", as_csv({half, triplets.end()}));
  EXPECT_EQ(load({first, second}, 2).similarity, reference);
  write_snapshot(load({first}).similarity, folder.path("1.sim"));
  write_snapshot(load({second}).similarity, folder.path("2.sim"));
  EXPECT_EQ(load({folder.path("1.sim"), folder.path("2.sim")}).similarity, reference);
  EXPECT_EQ(load({folder.path("2.sim"), first}, 2).similarity, reference);

  const std::string named = folder.file("n.csv", as_csv(triplets, "item"));
  const SimilarityMatrix names = load({named}, 2).similarity;
  EXPECT_EQ(names.value, reference.value);
  EXPECT_EQ(names.column, reference.column);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Ways, testing::Values(60, 12000));

// More answers to one question than a small counter holds, few items and many.

class ManyRepeats : public testing::TestWithParam<std::size_t> {};

TEST_P(ManyRepeats, AreExact) {
  Accumulator accumulator;
  for (std::size_t item = 0; item < GetParam(); ++item) accumulator.items.add(std::to_string(item));
  const std::vector<ItemId> forth = {2, 0, 1};
  const std::vector<ItemId> back = {2, 1, 0};
  std::int64_t expected = 0;
  for (int i = 0; i < 100'000; ++i) {
    accumulator.add_plain({QuestionKind::triplet, i % 10 == 0 ? back : forth});
    expected += i % 10 == 0 ? -1 : 1;
  }
  Answer weighted;
  weighted.items = {2, 0, 1, 0};
  weighted.weight = 7 * weight_one;
  accumulator.add(weighted);
  Accumulator other;
  other.items.add("1");
  other.items.add("2");
  other.items.add("0");
  for (int i = 0; i < 40'000; ++i) {
    other.add_plain({QuestionKind::triplet, std::vector<ItemId>{1, 2, 0}});  // 2 0 1 by name
  }
  tertium::Run run;
  accumulator.merge(other, run);
  const SimilarityMatrix similarity = accumulator.snapshot(0, run);
  ASSERT_EQ(similarity.nonzeros(), 2U);
  EXPECT_THAT(similarity.column, ElementsAre(0, 1));
  EXPECT_THAT(similarity.value, ElementsAre(expected + 40'007, -expected - 40'007));
  EXPECT_EQ(similarity.comparisons, 140'001U);
  EXPECT_EQ(similarity.size(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes, ManyRepeats, testing::Values(3, 11000));

TEST(Accumulator, NamesWithLeadingZerosAreNoNumbers) {
  const TemporaryFolder folder;
  const std::string padding(60, '\n');  // so that rows are read many bytes at once
  const auto similarity =
      load({folder.file("t.csv", "anchor,near,far\n1,2,3\n1,2,03\n1,2,3\n1,00,3\n" + padding)})
          .similarity;
  EXPECT_THAT(similarity.items, ElementsAre("1", "2", "3", "00", "03"));
  EXPECT_THAT(dense(similarity)[0], ElementsAre(0, 3, -3, 1, -1));
}

TEST(Accumulator, NumbersThatNobodyMentionsAreNoItems) {
  const TemporaryFolder folder;
  const auto similarity =
      load({folder.file("t.csv", "anchor,near,far\n7,900,3\n900,7,3\n")}, 2).similarity;
  EXPECT_THAT(similarity.items, ElementsAre("3", "7", "900"));
}

TEST(Repeats, SumOnceMajority) {
  const TemporaryFolder folder;
  // (a; b, c): b three times, c once.  (a; b, d): tied.
  const std::string file =
      folder.file("t.csv", "anchor,near,far\na,b,c\na,b,c\na,b,c\na,c,b\na,b,d\na,d,b\n");
  const auto row_a = [&](Repeats repeats) { return dense(load({file}, 1, repeats).similarity)[0]; };
  EXPECT_THAT(row_a(Repeats::sum), ElementsAre(0, 2, -2, 0));
  EXPECT_THAT(row_a(Repeats::once), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(row_a(Repeats::majority), ElementsAre(0, 1, -1, 0));
  EXPECT_EQ(load({file}, 1, Repeats::majority).majority_ties, 1U);
  EXPECT_EQ(load({file}, 1, Repeats::once).similarity.comparisons, 4U);
}

TEST(Repeats, OnceIsThePapersSetOnRepeatedAnswers) {
  const TemporaryFolder folder;
  const auto set = random_triplets(10, 200, 7);
  std::vector<Triplet> repeated(set.begin(), set.end());
  repeated.insert(repeated.end(), set.begin(), set.end());
  const std::string file = folder.file("t.csv", as_csv(repeated));
  EXPECT_EQ(dense(load({file}, 1, Repeats::once).similarity), adds3_by_definition(set, 10));
}

TEST(Weights, FractionsAreExact) {
  const TemporaryFolder folder;
  std::string text = "anchor,near,far,weight\n";
  for (int i = 0; i < 10; ++i) text += "a,b,c,0.1\n";
  const SimilarityMatrix similarity = load({folder.file("t.csv", text)}).similarity;
  EXPECT_EQ(dense(similarity)[0][1], 1.0);
  EXPECT_EQ(similarity.denominator, 1'000'000);
  write_snapshot(similarity, folder.path("w.sim"));
  EXPECT_EQ(read_snapshot(folder.path("w.sim")), similarity);
}

TEST(Items, RowsFollowTheListThenTheNames) {
  const TemporaryFolder folder;
  LoadOptions options;
  options.read.items_file = folder.file("items.csv", "name\nzebra\nant\nnever\n");
  options.read.add_unknown_items = true;
  tertium::Run run;
  const auto similarity =
      load_similarity({folder.file("t.csv", "anchor,near,far\nwasp,ant,zebra\nbee,ant,zebra\n")},
                      options, run)
          .similarity;
  EXPECT_THAT(similarity.items, ElementsAre("zebra", "ant", "never", "bee", "wasp"));
  EXPECT_THAT(similarity.mentions, ElementsAre(2, 2, 0, 1, 1));
  EXPECT_THAT(similarity.anchors, ElementsAre(0, 0, 0, 1, 1));
}

TEST(Eigen, HasBothTriangles) {
  const TemporaryFolder folder;
  const auto set = random_triplets(15, 300, 8);
  const auto similarity = load({folder.file("t.csv", as_csv({set.begin(), set.end()}))}).similarity;
  const Eigen::MatrixXd matrix(to_eigen(similarity));
  const Dense expected = adds3_by_definition(set, 15);
  for (int i = 0; i < 15; ++i) {
    for (int j = 0; j < 15; ++j) {
      EXPECT_EQ(matrix(i, j), expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
    }
  }
}

// ---- files ----

class Snapshots : public testing::Test {
 protected:
  Snapshots() {
    const auto set = random_triplets(20, 500, 9);
    similarity =
        load({folder.file("t.csv", as_csv({set.begin(), set.end()}, "it\xC3\xA9m "))}).similarity;
    path = folder.path("s.sim");
    write_snapshot(similarity, path);
    bytes = file_bytes(path);
  }

  [[nodiscard]] std::string refused(const std::string& changed) const {
    try {
      read_snapshot(folder.file("changed.sim", changed));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder;
  SimilarityMatrix similarity;
  std::string path;
  std::string bytes;
};

TEST_F(Snapshots, KeepEverything) {
  EXPECT_TRUE(is_snapshot(path));
  EXPECT_EQ(read_snapshot(path), similarity);
  EXPECT_EQ(load({path}).similarity, similarity);
}

TEST_F(Snapshots, EveryCutIsRefused) {
  for (std::size_t length = snapshot_magic.size(); length < bytes.size(); ++length) {
    EXPECT_THAT(refused(bytes.substr(0, length)), HasSubstr("cut off")) << length;
  }
}

TEST_F(Snapshots, EveryChangedByteIsRefused) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    EXPECT_NE(refused(changed), "") << at;
  }
}

// A checksum keeps nobody from writing what is wrong: no other error, and no memory beyond the
// file.
TEST_F(Snapshots, WrongOnesWithARightChecksumAreRefusedOrRead) {
  constexpr std::size_t checksum_bytes = 4;
  int refusals = 0;
  for (std::size_t at = snapshot_magic.size(); at < bytes.size() - checksum_bytes; ++at) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string changed = bytes.substr(0, bytes.size() - checksum_bytes);
      changed[at] = value;
      const auto sum = static_cast<std::uint32_t>(::crc32(
          0, reinterpret_cast<const Bytef*>(changed.data()), static_cast<uInt>(changed.size())));
      for (std::size_t byte = 0; byte < checksum_bytes; ++byte) {
        changed += static_cast<char>(sum >> (8 * byte));
      }
      refusals += refused(changed).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refusals, 100);
}

TEST_F(Snapshots, NewerVersionsAreNamed) {
  std::string newer = bytes;
  newer[8] = 2;
  EXPECT_THAT(refused(newer), HasSubstr("version 2"));
}

TEST_F(Snapshots, MergeOnlyWithTheirLike) {
  const std::string quadruplets = folder.file("q.csv", "i,j,k,l\n1,2,3,4\n");
  EXPECT_THROW(load({path, quadruplets}), InputError);
  EXPECT_THROW(load({path, path}, 1, Repeats::once), InputError);
  SimilarityMatrix once = similarity;
  once.repeats = Repeats::once;
  write_snapshot(once, folder.path("once.sim"));
  EXPECT_THROW(load({path, folder.path("once.sim")}), InputError);
  EXPECT_EQ(load({folder.path("once.sim")}).similarity, once);
  SimilarityMatrix twice = load({path, path}).similarity;
  for (auto& value : twice.value) value /= 2;
  EXPECT_EQ(twice.value, similarity.value);
}

TEST_F(Snapshots, ExportsReadBackAsTheSameMatrix) {
  tertium::Run run;
  for (const char* ending : {"npy", "csv", "mtx"}) {
    const std::string file = folder.path(std::string("m.") + ending);
    const std::string items = export_similarity(similarity, file, export_format(file).value());
    EXPECT_EQ(items.empty(), std::string(ending) != "npy");
    EXPECT_TRUE(is_similarity_matrix(file)) << ending;
    const SimilarityMatrix back = read_similarity_matrix(file, run);
    EXPECT_EQ(dense(back), dense(similarity)) << ending;
    const bool keeps_names = std::string(ending) != "npy";
    EXPECT_EQ(back.items == similarity.items, keeps_names) << ending;
  }
}

TEST(Precomputed, DecimalsAreKept) {
  const TemporaryFolder folder;
  const std::string file = folder.file(
      "m.csv", "item,a,b,c,d\na,1,0.25,-1e-3,0\nb,0.25,1,3,0\nc,-0.001,3,1,0\nd,0,0,0,1\n");
  EXPECT_TRUE(is_similarity_matrix(file));
  tertium::Run run;
  const SimilarityMatrix similarity = read_similarity_matrix(file, run);
  EXPECT_EQ(similarity.denominator, 1000);
  EXPECT_THAT(dense(similarity)[0], ElementsAre(0, 0.25, -0.001, 0));
}

TEST(Precomputed, RefusesWhatIsNoSimilarity) {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& name, const std::string& text) {
    tertium::Run run;
    EXPECT_THROW(read_similarity_matrix(folder.file(name, text), run), InputError) << name;
  };
  refuses("a.csv", "1,2\n3,1\n");
  refuses("b.csv", "1,nan\nnan,1\n");
  refuses("c.csv", "1,2,3\n2,1,4\n");
  refuses("d.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n3 1 5\n");
  EXPECT_FALSE(is_similarity_matrix(folder.file("e.csv", "1,2,3\n4,5,6\n")));
}

TEST(CsvCell, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
}

}  // namespace
}  // namespace tertium::internal
