#include <cmath>

#include <fmt/format.h>

#include "tertium/report.hpp"
#include "tertium/report/json.hpp"
#include "tertium/report/titled_line.hpp"

namespace tertium::internal {
namespace {

constexpr int bar_width = 20;

std::string bar(double chance) {
  const auto filled = static_cast<std::size_t>(std::lround(chance * bar_width));
  return std::string(filled, '#') + std::string(bar_width - filled, ' ');
}

std::string curve_as_text(const std::vector<PlanPoint>& curve) {
  std::string text = fmt::format("{:>12}  {:<20}  {:>8}\n", "answers", "chance (95 %)", "mean ARI");
  for (const PlanPoint& point : curve) {
    text += fmt::format("{:>12}  {:.3f} ({:.3f}-{:.3f})  {:>8.3f}  |{}|\n", point.answers,
                        point.chance, point.chance_interval.lo, point.chance_interval.hi,
                        point.mean_index, bar(point.chance));
  }
  return text;
}

std::string per_participant(const PlanReport& report, std::uint64_t answers) {
  const std::uint64_t participants = report.study.survey.participants;
  if (participants == 0) return "";
  return titled_line(
      "per participant",
      fmt::format("{} answers from each of {}", (answers - 1) / participants + 1, participants));
}

std::string runs_in_words(const PlanReport& report) {
  return titled_line("simulated",
                     fmt::format("{} surveys about {} items in {} clusters at each number "
                                 "of answers",
                                 report.study.runs, count_items(report.study.model),
                                 report.study.model.sizes.size()));
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string goal_in_words(const Goal& goal) {
  if (goal.adjusted_rand == 1) return "every item in its cluster";
  return fmt::format("an adjusted Rand index of at least {:g}", goal.adjusted_rand);
}

std::string plan_as_text(const PlanReport& report) {
  const Plan& plan = report.plan;
  std::string text;
  if (plan.answers) {
    text += titled_line(
        "answers needed",
        fmt::format("{}  (95 % band of the simulation: {} to {})", *plan.answers,
                    plan.fewest.value_or(*plan.answers),
                    plan.most ? fmt::format("{}", *plan.most) : "more than were tried"));
    text += titled_line(
        "for", fmt::format("{}, with chance {:g}", goal_in_words(report.goal), report.confidence));
    text += per_participant(report, *plan.answers);
  } else {
    text += titled_line(
        "answers needed",
        fmt::format("not reached: with {} answers the chance is {:.3f}, and more hardly "
                    "help",
                    plan.most_answers, plan.curve.back().chance));
    text += titled_line("", "what is missing is not answers: delta or the clusters are too small");
    text += titled_line(
        "for", fmt::format("{}, with chance {:g}", goal_in_words(report.goal), report.confidence));
  }
  return text + runs_in_words(report) + "\n" + curve_as_text(plan.curve);
}

std::string expectation_as_text(const PlanReport& report) {
  const PlanPoint& point = report.plan.curve.front();
  std::string text = titled_line("answers", fmt::format("{}", point.answers));
  text += per_participant(report, point.answers);
  text += titled_line("chance", fmt::format("{:.3f} of {}  (95 % interval {:.3f} to {:.3f})",
                                            point.chance, goal_in_words(report.goal),
                                            point.chance_interval.lo, point.chance_interval.hi));
  text += titled_line("adjusted Rand",
                      fmt::format("{:.3f} on average, above {:.3f} in 95 of 100 surveys",
                                  point.mean_index, point.low_index));
  return text + runs_in_words(report);
}

std::string plan_as_json(const PlanReport& report) {
  Json curve = Json::array();
  for (const PlanPoint& point : report.plan.curve) {
    curve.push_back({{"answers", point.answers},
                     {"chance", point.chance},
                     {"chance_interval", {point.chance_interval.lo, point.chance_interval.hi}},
                     {"mean_adjusted_rand", point.mean_index},
                     {"adjusted_rand_5_percent", point.low_index}});
  }
  Json json = {{"items", count_items(report.study.model)},
               {"clusters", report.study.model.sizes.size()},
               {"goal_adjusted_rand", report.goal.adjusted_rand},
               {"confidence", report.confidence},
               {"runs", report.study.runs},
               {"answers", or_null(report.plan.answers)},
               {"fewest", or_null(report.plan.fewest)},
               {"most", or_null(report.plan.most)},
               {"curve", curve}};
  if (report.study.survey.participants > 0 && report.plan.answers) {
    json["answers_per_participant"] =
        (*report.plan.answers - 1) / report.study.survey.participants + 1;
  }
  return json_text(json);
}

}  // namespace tertium
