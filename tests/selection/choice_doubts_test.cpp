#include "tertium/selection/choice_doubts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/selection/spur.hpp"

namespace tertium::internal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// SPUR's choice among 2, 3, ... clusters with these thetas, in a range that it found itself.
SpurResult choice(int clusters, const std::vector<double>& thetas) {
  SpurResult spur;
  spur.clusters = clusters;
  spur.smallest = SpurEnd{10, 4};
  spur.range = {2, static_cast<int>(thetas.size()) + 1};
  for (const double theta : thetas) {
    SpurStep step;
    step.clusters = static_cast<int>(spur.steps.size()) + 2;
    step.theta = theta;
    spur.steps.push_back(step);
  }
  return spur;
}

HeldoutCurve curve(int clusters) {
  HeldoutCurve result;
  result.clusters = clusters;
  return result;
}

TEST(ChoiceDoubts, NoneWhereAllAgree) {
  const HeldoutCurve heldout = curve(3);
  EXPECT_THAT(doubts_about_choice(choice(3, {0.8, 0.95, 0.9}), &heldout), IsEmpty());
  EXPECT_THAT(doubts_about_choice(choice(3, {0.8, 0.95, 0.9}), nullptr), IsEmpty());
}

TEST(ChoiceDoubts, NameNumbersWithNearlyTheSameTheta) {
  EXPECT_THAT(doubts_about_choice(choice(3, {0.945, 0.95, 0.91, 0.941}), nullptr),
              ElementsAre(AllOf(HasSubstr("theta of 3 clusters is 0.950"), HasSubstr("2 (0.945)"),
                                HasSubstr("5 (0.941)"), Not(HasSubstr("4 (")))));
  EXPECT_THAT(doubts_about_choice(choice(3, {0.939, 0.95, 0.9}), nullptr), IsEmpty());
}

TEST(ChoiceDoubts, SeeWhereNothingWasSolved) {
  // A certificate settles the choice: the others have no theta, and the end of the range is none.
  SpurResult spur = choice(4, {0, 0, 1});
  spur.steps[0].theta.reset();
  spur.steps[1].theta.reset();
  spur.steps[2].certified = true;
  EXPECT_THAT(doubts_about_choice(spur, nullptr), IsEmpty());
}

TEST(ChoiceDoubts, WarnOfTheUpperEndOfSpursOwnRange) {
  SpurResult spur = choice(4, {0.8, 0.85, 0.95});
  EXPECT_THAT(doubts_about_choice(spur, nullptr), ElementsAre(HasSubstr("upper end")));
  spur.smallest.reset();  // a range that was asked for
  EXPECT_THAT(doubts_about_choice(spur, nullptr), IsEmpty());
}

TEST(ChoiceDoubts, NameWhatHeldOutAnswersSpeakFor) {
  const HeldoutCurve heldout = curve(5);
  EXPECT_THAT(doubts_about_choice(choice(3, {0.8, 0.95, 0.9, 0.7}), &heldout),
              ElementsAre(AllOf(HasSubstr("SPUR finds 3"), HasSubstr("speak for 5"))));
}

TEST(ChoiceDoubts, OfAGridOfLambdasComeFromHeldOutAnswersOnly) {
  SpurResult spur = choice(3, {0.95, 0.95, 0.95});
  spur.smallest.reset();
  for (SpurStep& step : spur.steps) step.lambda = 7;
  EXPECT_THAT(doubts_about_choice(spur, nullptr), IsEmpty());
}

}  // namespace
}  // namespace tertium::internal
