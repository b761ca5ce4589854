#include "tertium/answers/data_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/read.hpp"
#include "tests/shared_data.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Checked {
  DataCheck check;
  ReadReport report;
};

Checked check_file(const std::string& path, const ReadOptions& options = {}) {
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  Checked result;
  tertium::Run run;
  result.report = read_answers({path}, options, {&sink, 1}, run);
  result.check = check_data(stored, result.report.listed_items, result.report.counts.comparisons);
  return result;
}

Checked check_text(const std::string& content, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  return check_file(folder.file("answers.csv", content), options);
}

TEST(DataCheck, RepeatsAndContradictions) {
  // (a; b, c): b, b, c.  (a; c, d): once.  (b; a, c): a, a.
  const auto [check, report] =
      check_text("anchor,near,far\na,b,c\na,b,c\na,c,b\na,c,d\nb,a,c\nb,a,c\nd,d,a\n");
  EXPECT_EQ(check.answers, 6U);
  EXPECT_EQ(check.distinct_questions, 3U);
  EXPECT_EQ(check.repeated_questions, 2U);
  EXPECT_EQ(check.contradicted_questions, 1U);
  EXPECT_EQ(check.most_asked, 3U);
  // Of the three pairs of answers to the first question one agrees, of the third all do.
  EXPECT_DOUBLE_EQ(check.repeat_agreement.value(), (1.0 / 3 + 1) / 2);
  EXPECT_EQ(report.self_comparisons, 1U);
  EXPECT_EQ(report.self_comparison_places[0].line, 8U);
}

TEST(DataCheck, ItemsAndComponents) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.items_file = folder.file("items.csv", "name\na\nb\nc\nx\ny\nz\nnever\n");
  const auto [check, report] = check_text("anchor,near,far\na,b,c\nb,a,c\nx,y,z\n", options);
  EXPECT_THAT(check.unmentioned_items, ElementsAre("never"));
  EXPECT_THAT(check.once_mentioned_items, ElementsAre("x", "y", "z"));
  EXPECT_THAT(check.never_anchors, ElementsAre("c", "y", "z"));
  EXPECT_THAT(check.components,
              ElementsAre(ElementsAre("a", "b", "c"), ElementsAre("x", "y", "z")));
  EXPECT_THAT(check_text("anchor,near,far\n0,1,2\n0,5,2\n").check.unused_numbers,
              ElementsAre(3, 4));
}

TEST(DataCheck, ItemsFileIsDescribed) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.items_file = folder.file("items.csv", "name,image,class\na,a.png,x\nb,,y\nc,c.png,x\n");
  const auto [check, report] = check_text("anchor,near,far\na,b,c\n", options);
  EXPECT_EQ(report.listed_items, 3U);
  EXPECT_EQ(report.listed_pictures, 2U);
  EXPECT_THAT(report.categories, ElementsAre(testing::Pair("x", 2), testing::Pair("y", 1)));
}

TEST(DataCheck, QuadrupletsHaveNoAnchors) {
  const auto [check, report] = check_text("i,j,k,l\na,b,c,d\nb,a,c,d\nd,c,b,a\n");
  EXPECT_THAT(check.never_anchors, IsEmpty());
  EXPECT_EQ(check.distinct_questions, 1U);
  EXPECT_EQ(check.contradicted_questions, 1U);
}

TEST(DataCheck, ParticipantsAgainstTheOthers) {
  // ann and bob agree on all, cat disagrees with both; dan answers what nobody else does.
  std::string rows = "participant,anchor,left,right,answer\n";
  for (int i = 0; i < 30; ++i) {
    const std::string anchor = "q" + std::to_string(i);
    rows += "ann," + anchor + ",b,c,b\n";
    rows += "bob," + anchor + ",c,b,b\n";
    rows += "cat," + anchor + ",b,c,c\n";
    rows += "dan,r" + anchor + ",b,c,b\n";
  }
  const auto [check, report] = check_text(rows);
  ASSERT_EQ(check.participants.size(), 4U);
  const auto& [ann, bob, cat, dan] = std::tie(check.participants[0], check.participants[1],
                                              check.participants[2], check.participants[3]);
  EXPECT_EQ(ann.name, "ann");
  EXPECT_EQ(ann.answers, 30U);
  EXPECT_DOUBLE_EQ(ann.agreement.value(), 0.5);  // with bob, not with cat
  EXPECT_DOUBLE_EQ(cat.agreement.value(), 0.0);
  EXPECT_FALSE(dan.agreement.has_value());
  EXPECT_EQ(ann.favourite_place, 1U);
  EXPECT_EQ(bob.favourite_place, 2U);
  EXPECT_TRUE(ann.one_sided);
  EXPECT_TRUE(bob.one_sided);
  EXPECT_DOUBLE_EQ(cat.favourite_share.value(), 1.0);
}

TEST(DataCheck, VotesAreAnswers) {
  const auto [check, report] =
      check_text("anchor,b,c,votes_b_nearer,votes_c_nearer\na,b,c,3,1\na,b,d,2,0\na,c,d,1,0\n");
  EXPECT_EQ(check.repeated_questions, 2U);
  EXPECT_DOUBLE_EQ(check.weight, 7);
  EXPECT_DOUBLE_EQ(check.repeat_agreement.value(), (6.0 / 12 + 1) / 2);
}

class SharedDataCheck : public SharedData {};

TEST_F(SharedDataCheck, FoodHasItsContradictions) {
  const auto [check, report] = check_file(data("food/triplets.csv"));
  EXPECT_EQ(report.counts.comparisons, 190376U);
  EXPECT_EQ(check.items, 100U);
  EXPECT_EQ(check.contradicted_questions, 9349U);
  EXPECT_TRUE(check.repeats_removed);
}

TEST_F(SharedDataCheck, RepeatAgreementOfRealAnswers) {
  EXPECT_NEAR(*check_file(data("food/triplets_all_with_repeats.csv")).check.repeat_agreement, 0.84,
              0.005);
  EXPECT_NEAR(*check_file(data("material/votes_train.csv")).check.repeat_agreement, 0.71, 0.005);
  EXPECT_NEAR(*check_file(data("car/central_all_with_repeats.csv")).check.repeat_agreement, 0.65,
              0.005);
}

TEST_F(SharedDataCheck, EveryFileOfAnswersReads) {
  struct File {
    const char* name;
    std::uint64_t comparisons;
    std::size_t items;
  };
  // Counts from the notes that came with the data.
  for (const File& file :
       {File{"car/central.csv", 12112, 60}, File{"car/triplets.csv", 12112, 60},
        File{"car/central_all_with_repeats.csv", 2 * 6757, 60},
        File{"cfd36_faces/triplets.csv", 39468 - 2234, 36}, File{"food/triplets.csv", 190376, 100},
        File{"food/triplets_all_with_repeats.csv", 250320, 100},
        File{"letters/latin.csv", 2 * 45136, 26}, File{"letters/cyrillic.csv", 2 * 29568, 33},
        File{"letters/devanagari.csv", 2 * 25368, 37},
        File{"material/triplets_majority_train.csv", 21406, 100}}) {
    const auto [check, report] = check_file(data(file.name));
    EXPECT_EQ(check.comparisons, file.comparisons) << file.name;
    EXPECT_EQ(check.items, file.items) << file.name;
  }
  EXPECT_DOUBLE_EQ(check_file(data("material/votes_train.csv")).check.weight, 92892);
  EXPECT_DOUBLE_EQ(check_file(data("material/votes_test.csv")).check.weight, 11800);
}

TEST_F(SharedDataCheck, EveryListOfItemsReads) {
  for (const auto& [answers, items] :
       {std::pair("car/central.csv", "car/labels.csv"),
        std::pair("cfd36_faces/triplets.csv", "cfd36_faces/items.csv"),
        std::pair("food/triplets.csv", "food/items.csv"),
        std::pair("letters/latin.csv", "letters/latin_items.csv"),
        std::pair("letters/cyrillic.csv", "letters/cyrillic_items.csv"),
        std::pair("letters/devanagari.csv", "letters/devanagari_items.csv"),
        std::pair("material/votes_train.csv", "material/items.csv")}) {
    ReadOptions options;
    options.items_file = data(items);
    if (std::string(items) == "car/labels.csv") options.item_name = "index";
    const auto [check, report] = check_file(data(answers), options);
    EXPECT_EQ(check.items, report.listed_items) << items;
    EXPECT_THAT(check.unmentioned_items, IsEmpty()) << items;
  }
}

}  // namespace
}  // namespace tertium::internal
