#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/similar_names.hpp"

namespace tertium::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(NameList, ShowsFewNamesWholeAndOfManyTheFirst) {
  EXPECT_EQ(name_list(std::vector<std::string>{"anchor", "near", "far"}), "anchor, near, far");
  std::vector<std::string> columns;
  for (int i = 1; i <= 10'000; ++i) columns.push_back(std::to_string(i));
  EXPECT_THAT(name_list(columns), testing::StartsWith("1, 2, 3, "));
  EXPECT_THAT(name_list(columns), testing::EndsWith(", ... (10000 in all)"));
  EXPECT_LT(name_list(columns).size(), 300U);
}

TEST(NameList, CutsLongNamesAndShowsControlBytes) {
  const std::vector<std::string_view> names = {"\x1b[31mred", "b"};
  EXPECT_EQ(name_list(names), "\\x1B[31mred, b");
  EXPECT_LT(name_list(std::vector<std::string>(3, std::string(5'000'000, 'x'))).size(), 400U);
  EXPECT_EQ(name_list(std::vector<std::string>{}), "");
}

TEST(EditDistance, CountsLettersPutInLeftOutReplacedAndSwapped) {
  EXPECT_EQ(edit_distance("cluster", "cluster"), 0U);
  EXPECT_EQ(edit_distance("clster", "cluster"), 1U);
  EXPECT_EQ(edit_distance("clusters", "cluster"), 1U);
  EXPECT_EQ(edit_distance("clubter", "cluster"), 1U);
  EXPECT_EQ(edit_distance("truht", "truth"), 1U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // no letter is moved twice
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
}

TEST(SimilarNames, AreNearInLettersOrBeginLikeTheWord) {
  const std::vector<std::string> commands = {"cluster", "check", "similarity", "simulate", "sdp"};
  EXPECT_THAT(similar_names("clster", commands), ElementsAre("cluster"));
  EXPECT_THAT(similar_names("CLUSTER", commands), ElementsAre("cluster"));
  EXPECT_THAT(similar_names("simil", commands), ElementsAre("similarity"));
  EXPECT_THAT(similar_names("sim", commands),
              testing::UnorderedElementsAre("similarity", "simulate"));
  EXPECT_THAT(similar_names("spd", commands), ElementsAre("sdp"));
  EXPECT_THAT(similar_names("frobnicate", commands), IsEmpty());
  EXPECT_THAT(similar_names("", commands), IsEmpty());
  EXPECT_THAT(similar_names(std::string(1'000'000, 'c'), commands), IsEmpty());
}

TEST(SimilarNames, DoNotCountDashesAndPutTheNearestFirst) {
  const std::vector<std::string> flags = {"--truth-item", "--truth", "--threads", "-h", "-q"};
  EXPECT_THAT(similar_names("--truht", flags), ElementsAre("--truth"));
  EXPECT_THAT(similar_names("-truth", flags), ElementsAre("--truth"));
  EXPECT_THAT(similar_names("-x", flags), IsEmpty());
  EXPECT_THAT(similar_names("--", flags), IsEmpty());
}

TEST(SimilarNames, BecomeAQuestion) {
  EXPECT_EQ(did_you_mean({}), "");
  EXPECT_EQ(did_you_mean({"a"}), "Did you mean 'a'?");
  EXPECT_EQ(did_you_mean({"a", "b", "c"}), "Did you mean 'a', 'b' or 'c'?");
}

}  // namespace
}  // namespace tertium::internal
