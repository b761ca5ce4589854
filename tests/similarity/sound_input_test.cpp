#include "tertium/similarity/sound_input.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/core/number.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/similarity.hpp"
#include "tertium/similarity/exact_values.hpp"
#include "tertium/similarity/precomputed.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

TEST(ParseDecimal, IsExact) {
  const auto is = [](std::string_view text, std::int64_t mantissa, int exponent) {
    const auto found = parse_decimal(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->mantissa, mantissa) << text;
    EXPECT_EQ(found->exponent, exponent) << text;
  };
  is("0", 0, 0);
  is("-0.000", 0, 0);
  is("12", 12, 0);
  is("+1200", 12, 2);
  is("-1.20", -12, -1);
  is("0.05", 5, -2);
  is(".5", 5, -1);
  is("5.", 5, 0);
  is("1e-7", 1, -7);
  is("1.5E+3", 15, 2);
  is("9223372036854775807", 9223372036854775807, 0);
  is("0.30000000000000004", 30000000000000004, -17);
  for (const char* text : {"", ".", "e5", "1e", "1e5x", "1,5", "nan", "inf", "--1", "1.2.3",
                           "9223372036854775808", "1e99999999999999999999"}) {
    EXPECT_FALSE(parse_decimal(text)) << text;
  }
  EXPECT_EQ(in_units({15, -1}, 1), 15);
  EXPECT_EQ(in_units({15, -1}, 6), 1500000);
  EXPECT_FALSE(in_units({15, -7}, 6));
  EXPECT_FALSE(in_units({15, 18}, 6));
}

std::vector<GivenNumber> doubles(const std::vector<double>& values) {
  std::vector<GivenNumber> numbers;
  for (const double value : values) numbers.push_back(number_from(value));
  return numbers;
}

TEST(ExactValues, AreDecimalOrBinaryFractions) {
  const ExactValues tenths = exact_values(doubles({0.1, -0.25, 3}), "m");
  EXPECT_EQ(tenths.denominator, 100);
  EXPECT_THAT(tenths.integers, testing::ElementsAre(10, -25, 300));
  const ExactValues tiny = exact_values(doubles({3e-15, -1e-15}), "m");
  EXPECT_EQ(tiny.denominator, 1'000'000'000'000'000);
  EXPECT_THAT(tiny.integers, testing::ElementsAre(3, -1));
  // Too many decimals, few bits.
  const std::vector<double> few_bits = {0x1.8p-40, -0x1p-45, 5};
  const ExactValues binary = exact_values(doubles(few_bits), "m");
  EXPECT_FALSE(binary.rounded);
  for (std::size_t i = 0; i < few_bits.size(); ++i) {
    EXPECT_EQ(static_cast<double>(binary.integers[i]) / static_cast<double>(binary.denominator),
              few_bits[i]);
  }
  // Whole numbers beyond 2^53 are themselves, not their shortest text.
  EXPECT_EQ(exact_values(doubles({0x1p60}), "m").integers[0], std::int64_t{1} << 60U);
}

TEST(ExactValues, SayWhenTheyAreRounded) {
  const std::vector<double> values = {1 / 3.0, std::sqrt(2) / 1e6, std::exp(1) * 1e3};
  const ExactValues rounded = exact_values(doubles(values), "m");
  EXPECT_TRUE(rounded.rounded);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(rounded.integers[i]) / static_cast<double>(rounded.denominator),
                values[i], 1e-12 * values[2]);
  }
  EXPECT_THROW(exact_values(doubles({1e19, 1}), "m"), InputError);
  EXPECT_THROW(exact_values(doubles({1.1e-30, 1.7e-31}), "m"), InputError);
  EXPECT_THROW(exact_values(doubles({4e18, 4e18}), "m"), InputError);
}

SimilarityMatrix small_snapshot() {
  SimilarityMatrix similarity;
  similarity.items = {"a", "b", "c"};
  similarity.comparisons = 10;
  similarity.weight = 10;
  similarity.mentions = {10, 10, 10};
  similarity.anchors = {5, 5, 0};
  similarity.row_start = {0, 0, 1, 3};
  similarity.column = {0, 0, 1};
  similarity.value = {3, -2, 4};
  return similarity;
}

TEST(HostileSnapshot, IsRefused) {
  const TemporaryFolder folder;
  const auto reads = [&](const SimilarityMatrix& similarity) {
    const std::string file = folder.path("s.sim");
    write_snapshot(similarity, file);
    return read_snapshot(file) == similarity;
  };
  EXPECT_TRUE(reads(small_snapshot()));
  const auto refuses = [&](const auto& change) {
    SimilarityMatrix similarity = small_snapshot();
    change(similarity);
    EXPECT_THROW(reads(similarity), InputError);
  };
  refuses([](SimilarityMatrix& s) { s.items[1] = "a"; });
  refuses([](SimilarityMatrix& s) { s.items[1] = "\xff"; });
  refuses([](SimilarityMatrix& s) { s.items[1] = ""; });
  refuses([](SimilarityMatrix& s) { s.value[0] = 0; });
  refuses([](SimilarityMatrix& s) { s.value[0] = 11; });  // more than all answers weigh
  refuses([](SimilarityMatrix& s) { s.anchors[0] = 11; });
  for (const char* rule : {"adds3", "precomputed"}) {
    refuses([&](SimilarityMatrix& s) {
      s.rule = rule;
      s.weight = std::numeric_limits<std::int64_t>::max();
      s.value = {std::int64_t{1} << 62U, 1, std::int64_t{1} << 62U};
    });
  }
}

TEST(HostileMatrix, IsRefused) {
  const TemporaryFolder folder;
  const std::string start = "%%MatrixMarket matrix coordinate real symmetric\n";
  const auto read = [&](const std::string& name, const std::string& text) {
    tertium::Run run;
    return read_similarity_matrix(folder.file(name, text), run);
  };
  EXPECT_EQ(read("m.mtx", start + "%item 2 x\n3 3 2\n2 1 0.5\n3 1 1e-3\n").denominator, 1000);
  for (const char* lines :
       {"-1 -1 0\n", "100000000 100000000 0\n", "3 3 100000000000\n", "3 3 2\n2 1 5\n",
        "3 3 1\n2 1 5\n3 1 5\n", "3 3 2\n2 1 5\n2 1 5\n", "3 3 2\n2 1 5\n1 2 5\n", "3 3 1\n4 1 5\n",
        "3 3 1\n0 1 5\n", "3 3 1\n2 1 x\n", "3 3 1\n2 1 1e400\n", "3 3\n",
        "%item 1 a\n%item 2 a\n3 3 0\n", "%item 1 a\n%item 1 b\n3 3 0\n", "%item 4 a\n3 3 0\n",
        "%item 1 \xff\n3 3 0\n", "%item 1 3\n%item 2 3\n4 4 0\n", "0 0 0\n"}) {
    EXPECT_THROW(read("m.mtx", start + lines), InputError) << lines;
  }
  EXPECT_THROW(read("m.csv", "item,a,a\na,0,1\na,1,0\n"), InputError);
  EXPECT_THROW(read("m.csv", "item,a,\xff\na,0,1\n\xff,1,0\n"), InputError);
  EXPECT_THROW(read("m.csv", "item,a,b\na,0,4e18\nb,5e18,0\n"), InputError);
  std::string integers = npy_header("<i8", 2, 2);
  for (const std::int64_t value : {0L, 9007199254740993L, 9007199254740993L, 0L}) {
    integers.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  EXPECT_THROW(read("m.npy", integers), InputError);
}

TEST(HostileNames, AreRefused) {
  EXPECT_NO_THROW(check_names({"a", "b"}, "f"));
  EXPECT_THROW(check_names({"a", "b", "a"}, "f"), InputError);
  EXPECT_THROW(check_names({"a", "\xc3"}, "f"), InputError);
}

}  // namespace
}  // namespace tertium::internal
