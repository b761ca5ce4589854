#include "tertium/plan.hpp"

#include <atomic>
#include <cmath>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/planning/crossing.hpp"
#include "tertium/planning/interval.hpp"
#include "tertium/planning/recovery.hpp"
#include "tertium/report.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {
namespace {

/// Two clear clusters of eight: quickly simulated.
RecoveryStudy small_study(double delta = 0.9) {
  RecoveryStudy study;
  study.model = {{8, 8}, delta};
  study.survey.epsilon = {0.9};
  study.runs = 60;
  return study;
}

TEST(Crossing, ReadsTheIncreasingCurve) {
  EXPECT_NEAR(*crossing({100, 400}, {0.5, 0.9}, 0.7), 200, 1e-9);
  EXPECT_EQ(*crossing({100, 400}, {0.8, 0.9}, 0.7), 100);
  EXPECT_FALSE(crossing({100, 400}, {0.2, 0.6}, 0.7).has_value());
  // 0.8 and 0.6 out of order count as 0.7 each: the crossing of 0.7 is at the first of them.
  EXPECT_NEAR(*crossing({100, 200, 400, 800}, {0.1, 0.8, 0.6, 0.9}, 0.7), 200, 1e-9);
  EXPECT_NEAR(*crossing({100, 200, 400, 1600}, {0.1, 0.8, 0.6, 0.9}, 0.8), 800, 1e-9);
}

TEST(Wilson, IsTheRootOfItsEquation) {
  for (const double share : {0.0, 0.3, 1.0}) {
    const Interval interval = wilson_interval(share, 50);
    for (const double p : {interval.lo, interval.hi}) {
      if (p == 0 || p == 1) continue;
      EXPECT_NEAR(std::abs(share - p), interval_z * std::sqrt(p * (1 - p) / 50), 1e-12);
    }
    EXPECT_LE(interval.lo, share);
    EXPECT_GE(interval.hi, share);
  }
}

TEST(Recovery, MoreAnswersHelpAndThreadsDoNotMatter) {
  const RecoveryStudy study = small_study();
  tertium::Run alone({.threads = 1});
  std::atomic<int> told = 0;
  const auto few = recovery_indices(
      study, 20, [&] { ++told; }, alone);
  EXPECT_EQ(told, study.runs);
  const auto many = recovery_indices(study, 800, {}, alone);
  tertium::Run together({.threads = 3});
  EXPECT_EQ(recovery_indices(
                study, 20, [&] { ++told; }, together),
            few);
  EXPECT_EQ(told, 2 * study.runs);
  double before = 0;
  double after = 0;
  for (std::size_t run = 0; run < few.size(); ++run) {
    before += few[run];
    after += many[run];
  }
  EXPECT_GT(after, before + 10);
  tertium::Run stopped(
      {.progress = [](const std::string&, const ProgressUpdate&) { return false; }});
  EXPECT_THROW(recovery_indices(study, 20, {}, stopped), Cancelled);
}

TEST(Plan, FindsTheNumberOfAnswers) {
  const RecoveryStudy study = small_study();
  PlanOptions options;
  options.confidence = 0.8;
  tertium::Run alone({.threads = 1});
  const Plan plan = plan_answers(study, options, alone);
  ASSERT_TRUE(plan.answers.has_value());
  EXPECT_LE(*plan.fewest, *plan.answers);
  EXPECT_GE(plan.most.value_or(*plan.answers), *plan.answers);
  for (std::size_t i = 1; i < plan.curve.size(); ++i) {
    EXPECT_LT(plan.curve[i - 1].answers, plan.curve[i].answers);
  }
  // Other surveys agree: the chance at that number, 0.8 up to the errors of two simulations (60 and
  // 200 runs: standard deviation 0.059), is within 0.27 but for a chance below 1e-5.
  RecoveryStudy other = study;
  other.survey.seed = 77;
  other.runs = 200;
  EXPECT_NEAR(simulate_point(other, {}, *plan.answers, alone).chance, 0.8, 0.27);

  // An easier goal needs fewer answers; the same seed gives the same plan at any thread count.
  options.goal.adjusted_rand = 0.5;
  tertium::Run together({.threads = 2});
  const Plan easier = plan_answers(study, options, together);
  EXPECT_LT(*easier.answers, *plan.answers);
  EXPECT_EQ(*plan_answers(study, options, alone).answers, *easier.answers);
}

TEST(Plan, SaysWhenAnswersAreNotWhatIsMissing) {
  RecoveryStudy study = small_study(0.1);
  study.runs = 20;
  tertium::Run run;
  const Plan plan = plan_answers(study, {}, run);
  EXPECT_FALSE(plan.answers.has_value());
  EXPECT_EQ(plan.curve.back().answers, plan.most_answers);
  EXPECT_EQ(plan.most_answers, 1680U);  // all questions: 16 * C(15, 2)
}

TEST(Plan, RefusesOtherGoals) {
  tertium::Run run;
  const RecoveryStudy study = small_study();
  for (const double bad : {0.0, 1.0, -1.0, 2.0}) {
    EXPECT_THROW(plan_answers(study, {{}, bad}, run), InputError);
  }
  EXPECT_THROW(plan_answers(study, {{0}, 0.9}, run), InputError);
  EXPECT_THROW(plan_answers(study, {{1.5}, 0.9}, run), InputError);
  RecoveryStudy one = study;
  one.model.sizes = {16};
  EXPECT_THROW(plan_answers(one, {}, run), InputError);
}

TEST(PlanReport, ShowsTheCurve) {
  PlanReport report;
  report.study = small_study();
  report.study.survey.participants = 10;
  report.plan.answers = 1234;
  report.plan.fewest = 1100;
  report.plan.curve = {{500, 0.25, {0.2, 0.3}, 0.6, 0.4, {}}, {2000, 1, {0.97, 1}, 1, 1, {}}};
  const std::string text = plan_as_text(report);
  EXPECT_NE(text.find("1234  (95 % band of the simulation: 1100 to more"), std::string::npos);
  EXPECT_NE(text.find("124 answers from each of 10"), std::string::npos);
  EXPECT_NE(text.find("|#####               |"), std::string::npos);
  const std::string svg = plan_as_svg(report);
  EXPECT_NE(svg.find("1,234 answers needed"), std::string::npos);
  EXPECT_NE(svg.find("<polyline"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace tertium::internal
