#include "tertium/reading/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reading/reading.hpp"

namespace tertium::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Every layout: what a person reads in the rows is what comes out.

TEST(Layout, AnchorNearFarUnderEveryName) {
  for (const char* header : {"anchor,near,far", "head,winner,loser", "anchor,positive,negative",
                             "query,pos,neg", "Ref,Closer,Farther", "probe;near;far"}) {
    std::string rows = "hog,monkey,giraffe\n";
    if (std::string(header).find(';') != std::string::npos) rows = "hog;monkey;giraffe\n";
    const NamedAnswers read = read_text(std::string(header) + "\n" + rows);
    EXPECT_EQ(read.answers, (Named{{"triplets", "hog", "monkey", "giraffe"}})) << header;
  }
}

TEST(Layout, SalmonKnowsTheSideFromLeftAndRight) {
  const NamedAnswers read = read_text(
      "head,winner,loser,left,right,puid,response_time\n"
      "1,2,3,2,3,ann,0.7\n"
      "1,2,3,3,2,bob,0.7\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "1", "2", "3"}, {"triplets", "1", "2", "3"}}));
  EXPECT_THAT(read.positions, ElementsAre(1, 2));
  EXPECT_THAT(read.participants, ElementsAre("ann", "bob"));
}

struct Coding {
  const char* first;   // the answer that picks the first option
  const char* second;  // the answer that picks the second option
};

void PrintTo(const Coding& coding, std::ostream* out) {
  *out << coding.first << "/" << coding.second;
}

class AnswerCodings : public testing::TestWithParam<Coding> {};

TEST_P(AnswerCodings, AreFoundFromTheValues) {
  const auto [first, second] = GetParam();
  const std::string header =
      "Participant.ID,target_center,target_left,target_right,target_winner\n";
  const NamedAnswers read = read_text(header + "p,dog,cat,car," + first + "\n" + "p,dog,car,cat," +
                                      second + "\n" + "p,dog,car,cat,\n");
  EXPECT_EQ(read.answers,
            (Named{{"triplets", "dog", "cat", "car"}, {"triplets", "dog", "cat", "car"}}));
  EXPECT_THAT(read.positions, ElementsAre(1, 2));
  EXPECT_EQ(read.report.counts.unanswered, 1U);
}

INSTANTIATE_TEST_SUITE_P(Values, AnswerCodings,
                         testing::Values(Coding{"cat", "cat"}, Coding{"left", "right"},
                                         Coding{"0", "1"}, Coding{"1", "2"}, Coding{"+1", "-1"},
                                         Coding{"target_left", "TargetRight"}));

TEST(AnswerCoding, IsNeverGuessed) {
  const std::string rows = "anchor,left,right,answer\ndog,cat,car,1\ndog,cow,car,1\n";
  EXPECT_THAT(refusal(rows), HasSubstr("--answer-values 0/1 or --answer-values 1/2"));
  ReadOptions options;
  options.answer_values = AnswerCoding::from_zero;
  EXPECT_EQ(read_text(rows, options).answers[0],
            (std::vector<std::string>{"triplets", "dog", "car", "cat"}));
  options.answer_values = AnswerCoding::from_one;
  EXPECT_EQ(read_text(rows, options).answers[0],
            (std::vector<std::string>{"triplets", "dog", "cat", "car"}));
}

TEST(AnswerCoding, IdsThatLookLikePositionsAreToldApart) {
  // "1" could be the item or the first option until the third row.
  const NamedAnswers read = read_text("anchor,left,right,answer\n5,1,2,1\n5,2,1,1\n5,7,9,7\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "5", "1", "2"},
                                 {"triplets", "5", "1", "2"},
                                 {"triplets", "5", "7", "9"}}));
  EXPECT_EQ(read.report.tables[0].first_sentence, "row 1: '5' is more like '1' than like '2'");
}

TEST(AnswerCoding, TiesAreCountedNotUsed) {
  const NamedAnswers read =
      read_text("anchor,left,right,answer\na,b,c,-1\na,b,c,0\na,b,c,1\na,b,c,tie\na,b,c,NA\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "a", "c", "b"}, {"triplets", "a", "b", "c"}}));
  EXPECT_EQ(read.report.counts.ties, 2U);
  EXPECT_EQ(read.report.counts.unanswered, 1U);
}

TEST(Layout, LetterColumnsWithEvaluation) {
  const NamedAnswers read = read_text("A,B,C,eval,worker\nx,y,z,B,w1\nx,y,z,C,w2\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "x", "y", "z"}, {"triplets", "x", "z", "y"}}));
}

TEST(Layout, VotesCountBothWays) {
  const NamedAnswers read =
      read_text("anchor,b,c,votes_b_nearer,votes_c_nearer\nx,y,z,7,3\nx,y,w,0,0\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "x", "y", "z"}, {"triplets", "x", "z", "y"}}));
  EXPECT_THAT(read.weights, ElementsAre(7, 3));
  EXPECT_EQ(read.report.counts.unanswered, 1U);
}

TEST(Layout, WeightsMayBeFractions) {
  const NamedAnswers read = read_text("anchor,near,far,count\na,b,c,2\na,b,d,0.25\na,c,d,0\n");
  EXPECT_THAT(read.weights, ElementsAre(2, 0.25));
}

TEST(Layout, JsonAnswersWithAgreement) {
  const NamedAnswers read = read_text(
      R"({"answers": [[5,1,2],[5,2,3]], "agreement": [[3,1],[0,4]], "answers_equal": [[1,2,3]]})",
      {}, "votes.json");
  EXPECT_EQ(read.answers, (Named{{"triplets", "5", "1", "2"},
                                 {"triplets", "5", "2", "1"},
                                 {"triplets", "5", "3", "2"}}));
  EXPECT_THAT(read.weights, ElementsAre(3, 1, 4));
}

TEST(Layout, NextJson) {
  const NamedAnswers read = read_text(
      R"({"participant_responses": {"ann": [
            {"target_indices": [{"index": 4, "label": "center"}, {"index": 7, "label": "left"},
                                {"index": 9, "label": "right"}], "index_winner": 9},
            {"target_indices": [{"index": 4, "label": "center"}, {"index": 7, "label": "left"},
                                {"index": 8, "label": "right"}]}],
          "bob": [
            {"target_indices": [{"index": 1, "label": "center"}, {"index": 2, "label": "left"},
                                {"index": 3, "label": "right"}], "index_winner": 2}]}})",
      {}, "next.json");
  EXPECT_EQ(read.answers, (Named{{"triplets", "4", "9", "7"}, {"triplets", "1", "2", "3"}}));
  EXPECT_THAT(read.participants, ElementsAre("ann", "bob"));
  EXPECT_EQ(read.report.counts.unanswered, 1U);
}

TEST(Layout, NextCsvHasAnUnnamedIndexColumn) {
  const NamedAnswers read =
      read_text(",target_center,target_left,target_right,target_winner\n0,a,b,c,c\n1,a,b,d,\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "a", "c", "b"}}));
}

TEST(Layout, JsPsychRowsThatAreNoQuestions) {
  const NamedAnswers read = read_text(
      "trial_type,stimulus,choices,response,worker_id\n"
      "preload,,,,w\n"
      "instructions,Welcome,,next,w\n"
      "triplet,a.png,\"[\"\"b.png\"\",\"\"c.png\"\"]\",1,w\n"
      "triplet,a.png,\"[\"\"b.png\"\",\"\"c.png\"\"]\",0,w\n"
      "keys,+,ALL_KEYS,,w\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "a.png", "c.png", "b.png"},
                                 {"triplets", "a.png", "b.png", "c.png"}}));
  EXPECT_EQ(read.report.counts.not_questions, 3U);
}

TEST(Layout, ListsThatAreNoListsOfItemsAreBadRows) {
  const auto rows = [](const std::string& list) {
    return "stimulus,choices,response\na,\"" + list + "\",1\n";
  };
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_THAT(refusal(rows("[[1,2],[3]]")), HasSubstr("a complete list"));
  EXPECT_THAT(refusal(rows(deep)), HasSubstr("a complete list"));
  EXPECT_THAT(refusal(rows("['b','c'")), HasSubstr("a complete list"));
}

TEST(Layout, PsychoPyListOfThreeWithTheOddOne) {
  ReadOptions options;
  options.where = {"trial_type=test"};
  const NamedAnswers read = read_text(
      "\xEF\xBB\xBFstimulus,response,trial_type\r\n"
      "\"[\"\"a\"\",\"\"b\"\",\"\"c\"\"]\",3,test\r\n"
      "\"[\"\"a\"\",\"\"b\"\",\"\"c\"\"]\",2,practice\r\n"
      "\"[\"\"a\"\",\"\"b\"\",\"\"d\"\"]\",1,test\r\n",
      options);
  EXPECT_EQ(read.answers, (Named{{"odd-one-out", "a", "b", "c"}, {"odd-one-out", "b", "d", "a"}}));
  EXPECT_EQ(read.report.counts.filtered, 1U);
}

TEST(Layout, ThingsIsTabSeparatedAlthoughCalledCsv) {
  const NamedAnswers read = read_text(
      "image1\timage2\timage3\tchoice\tsubject_id\n10\t20\t30\t2\ts1\n10\t20\t40\t3\ts2\n");
  EXPECT_EQ(read.answers,
            (Named{{"odd-one-out", "10", "30", "20"}, {"odd-one-out", "10", "20", "40"}}));
}

TEST(Layout, MeadowsNamesTheOddOne) {
  const NamedAnswers read =
      read_text("participation,stim1_name,stim2_name,stim3_name,label\np1,owl,cat,bus,bus\n");
  EXPECT_EQ(read.answers, (Named{{"odd-one-out", "owl", "cat", "bus"}}));
}

TEST(Layout, OddItemByPlaceOrColumn) {
  ReadOptions options;
  options.kind = ScreenKind::odd_one_out;
  EXPECT_THAT(refusal("1 2 3\n4 5 6\n", options, "x.txt"), HasSubstr("--odd first"));
  options.odd = "last";
  EXPECT_EQ(read_text("1 2 3\n", options).answers, (Named{{"odd-one-out", "1", "2", "3"}}));
  options.odd = "first";
  EXPECT_EQ(read_text("1 2 3\n", options).answers, (Named{{"odd-one-out", "2", "3", "1"}}));
  options.odd = "2";
  EXPECT_EQ(read_text("1 2 3\n", options).answers, (Named{{"odd-one-out", "1", "3", "2"}}));
  ReadOptions by_name;
  by_name.odd = "stranger";
  EXPECT_EQ(read_text("item1,item2,item3,stranger\na,b,c,b\n", by_name).answers,
            (Named{{"odd-one-out", "a", "c", "b"}}));
}

TEST(Layout, ThreeItemsAndAPickNeedTheKind) {
  const std::string rows = "item1,item2,item3,response\na,b,c,b\n";
  EXPECT_THAT(refusal(rows), HasSubstr("--kind odd-one-out or --kind most-central"));
  ReadOptions options;
  options.kind = ScreenKind::most_central;
  EXPECT_EQ(read_text(rows, options).answers, (Named{{"most-central", "b", "a", "c"}}));
}

TEST(Layout, MostCentral) {
  EXPECT_EQ(read_text("central,other1,other2\na,b,c\n").answers,
            (Named{{"most-central", "a", "b", "c"}}));
  EXPECT_EQ(read_text("survey_round,chosen_center,triplet_object_1,triplet_object_2,"
                      "triplet_object_3,response_time\n1,32,32,16,30,11.1\n1,18,15,18,53,9.8\n")
                .answers,
            (Named{{"most-central", "32", "16", "30"}, {"most-central", "18", "15", "53"}}));
}

TEST(Layout, RankingGivesEveryPair) {
  const NamedAnswers read =
      read_text("ref,stim1,stim2,stim3,clicks\nhog,cat,dog,owl,\"['stim3', 'stim1', 'stim2']\"\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "hog", "owl", "cat"},
                                 {"triplets", "hog", "owl", "dog"},
                                 {"triplets", "hog", "cat", "dog"}}));
}

TEST(Layout, WhatFollowsFromOneRowSharesAScreen) {
  const auto screens = [](const std::string& text, const ReadOptions& options = {}) {
    return read_text(text, options).screens;
  };
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(screens("anchor,near,far\na,b,c\na,b,c\nb,a,c\n"), (Numbers{0, 1, 2}));
  // Two of three ranked: both before the third, and the first before the second.
  EXPECT_EQ(screens("ref,stim1,stim2,stim3,clicks\n"
                    "a,b,c,d,\"['stim1', 'stim2']\"\n"
                    "b,a,c,d,\"['stim3', 'stim1']\"\n"),
            (Numbers{0, 0, 0, 1, 1, 1}));
  // Votes for both options, for one, and for none.
  EXPECT_EQ(screens("anchor,b,c,votes_b_nearer,votes_c_nearer\n"
                    "a,b,c,2,1\na,b,d,3,0\na,c,d,0,0\nb,c,d,1,1\n"),
            (Numbers{0, 0, 1, 2, 2}));
  // What compares an item with itself is dropped, the rest stays together.
  EXPECT_EQ(screens("ref,stim1,stim2,stim3,clicks\n"
                    "a,b,b,d,\"['stim1', 'stim2']\"\n"
                    "a,a,a,a,\"['stim1', 'stim2']\"\n"
                    "b,a,c,d,\"['stim3']\"\n"),
            (Numbers{0, 0, 1, 1}));
}

TEST(Layout, BestAndRest) {
  const NamedAnswers read = read_text("head,best,rest0,rest1\na,b,c,d\n");
  EXPECT_EQ(read.answers, (Named{{"triplets", "a", "b", "c"}, {"triplets", "a", "b", "d"}}));
}

TEST(Layout, GridOfImagesInsideAWrapper) {
  const NamedAnswers read = read_text(
      R"([{"worker_id": 330, "screens": [
            {"probe": "p", "images": ["a","b","c","d"], "near_answer": ["d","b"], "is_catchtrial": false},
            {"probe": "p", "images": ["a","b"], "near_answer": ["a"], "is_catchtrial": true}]}])",
      {}, "grid.json");
  EXPECT_EQ(read.answers, (Named{{"triplets", "p", "d", "a"},
                                 {"triplets", "p", "d", "c"},
                                 {"triplets", "p", "b", "a"},
                                 {"triplets", "p", "b", "c"}}));
  EXPECT_THAT(read.participants, ElementsAre("330", "330", "330", "330"));
  EXPECT_EQ(read.report.counts.catch_trials, 1U);
}

TEST(Layout, Quadruplets) {
  EXPECT_EQ(read_text("i,j,k,l\n1,2,3,4\n").answers, (Named{{"quadruplets", "1", "2", "3", "4"}}));
  EXPECT_EQ(read_text("1;2;3;4\n5;6;7;8\n").answers.size(), 2U);
}

TEST(Layout, MldsAnswerNamesThePairThatDiffersMore) {
  const NamedAnswers read = read_text("resp,S1,S2,S3,S4\n1,a,b,c,d\n0,a,b,c,d\n");
  EXPECT_EQ(read.answers,
            (Named{{"quadruplets", "a", "b", "c", "d"}, {"quadruplets", "c", "d", "a", "b"}}));
}

TEST(Layout, PolarityOfPairsIsNeverGuessed) {
  const std::string rows = "i,j,k,l,response\na,b,c,d,0\na,b,c,d,1\n";
  EXPECT_THAT(refusal(rows), HasSubstr("--answer-means alike or --answer-means different"));
  ReadOptions options;
  options.picks_different = false;
  EXPECT_EQ(read_text(rows, options).answers,
            (Named{{"quadruplets", "a", "b", "c", "d"}, {"quadruplets", "c", "d", "a", "b"}}));
}

TEST(Layout, FlagsOverrideWhatWouldBeFound) {
  ReadOptions options;
  options.anchor = "x";
  options.near = "far";
  options.far = "near";
  EXPECT_EQ(read_text("anchor,x,near,far\na,b,c,d\n", options).answers,
            (Named{{"triplets", "b", "d", "c"}}));
  ReadOptions by_number;
  by_number.anchor = "2";
  by_number.near = "3";
  by_number.far = "5";
  EXPECT_EQ(read_text("9,1,2,8,3\n9,4,5,8,6\n", by_number).answers,
            (Named{{"triplets", "1", "2", "3"}, {"triplets", "4", "5", "6"}}));
}

TEST(Layout, HeaderlessNames) {
  EXPECT_EQ(read_text("hog,cat,dog\ncat,dog,hog\n").answers[0],
            (std::vector<std::string>{"triplets", "hog", "cat", "dog"}));
  EXPECT_THAT(refusal("x,y,z\nhog,cat,dog\n"), HasSubstr("--header yes or --header no"));
  EXPECT_THAT(refusal("x,y,z\n1,2,3\n"), HasSubstr("--anchor"));
}

}  // namespace
}  // namespace tertium::internal
