#include "tertium/plan.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "tertium/core/random.hpp"
#include "tertium/error.hpp"
#include "tertium/planning/crossing.hpp"
#include "tertium/planning/interval.hpp"
#include "tertium/planning/recovery.hpp"
#include "tertium/planning/theory.hpp"
#include "tertium/planted/model.hpp"

namespace tertium::internal {
namespace {

constexpr double step = 1.5;          // between points while the crossing is not bracketed
constexpr double finest_step = 1.06;  // the bracket is halved down to this
constexpr double low_chance = 0.1;    // the curve is shown from here
constexpr int most_points_below = 8;  // and not further than so many steps
constexpr int most_points_above = 3;  // to see that the chance stays above
constexpr double rounding = 1e-9;     // of an adjusted Rand index
constexpr int resamples = 1000;       // the 25th from both ends is the 95 % band
// Beyond this multiple of n^2 / epsilon^2 more answers add next to nothing (the paper's remark on
// quadratically many comparisons).
constexpr double most_per_square = 20;

using Points = std::map<std::uint64_t, PlanPoint>;

void check(const RecoveryStudy& study, const PlanOptions& options) {
  const auto refuse = [](const std::string& found, const char* expected) {
    throw InputError({{}, found, expected, ""});
  };
  if (!(options.confidence > 0 && options.confidence < 1)) {
    refuse(fmt::format("--confidence {}", options.confidence), "a number between 0 and 1");
  }
  if (!(options.goal.adjusted_rand > 0 && options.goal.adjusted_rand <= 1)) {
    refuse(fmt::format("--goal ari={}", options.goal.adjusted_rand),
           "an adjusted Rand index above 0 and at most 1");
  }
  if (study.model.sizes.size() < 2) refuse("one cluster", "at least two clusters to be found");
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::uint64_t most_answers(const RecoveryStudy& study) {
  const auto n = static_cast<double>(count_items(study.model));
  const double epsilon = mean_epsilon(study.survey);
  double most = most_per_square * n * n / (epsilon * epsilon);
  if (study.survey.sampling == Sampling::without_replacement) {
    most = std::min(most, count_questions(study.survey.kind, count_items(study.model)));
  }
  return static_cast<std::uint64_t>(most);
}

/// One point. The progress is that of `points` points, of which some may be done: what a run costs
/// grows with its answers, but nobody knows yet by how much.
PlanPoint point_of(const RecoveryStudy& study, const Goal& goal, std::uint64_t answers,
                   std::atomic<int>& surveys, double points, Run& run) {
  const auto on_run = [&] {
    const int done = ++surveys;
    const double share = static_cast<double>(done) / study.runs / points;
    run.say(fmt::format("simulating, {} surveys", done),
            {static_cast<std::uint64_t>(1000 * std::min(1.0, share)), 1000});
  };
  std::vector<double> indices = recovery_indices(study, answers, on_run, run);
  PlanPoint point;
  point.answers = answers;
  for (const double index : indices) {
    point.success.push_back(index >= goal.adjusted_rand - rounding ? 1 : 0);
  }
  const auto runs = static_cast<double>(indices.size());
  point.chance = std::accumulate(point.success.begin(), point.success.end(), 0.0) / runs;
  point.chance_interval = wilson_interval(point.chance, runs);
  point.mean_index = mean(indices);
  std::sort(indices.begin(), indices.end());
  point.low_index = indices[indices.size() / 20];
  return point;
}

/// All points simulated so far, and the ways to get another.
class Search {
 public:
  Search(const RecoveryStudy& study, const PlanOptions& options, Run& run)
      : study_(study),
        options_(options),
        run_(run),
        most_(most_answers(study)),
        least_(std::min(count_items(study.model) / 2 + 1, most_)) {}

  /// The chance at a number of answers, simulated unless it was before.
  double chance(std::uint64_t answers, int points_left) {
    const auto found = points_.find(answers);
    if (found != points_.end()) return found->second.chance;
    const auto points = static_cast<double>(points_.size()) + 1 + points_left;
    const PlanPoint point = point_of(study_, options_.goal, answers, surveys_, points, run_);
    return points_.emplace(answers, point).first->second.chance;
  }

  /// Two numbers of answers around the crossing; equal if it lies beyond the ends.
  std::pair<std::uint64_t, std::uint64_t> bracket(std::uint64_t start) {
    std::uint64_t at = std::clamp(start, least_, most_);
    if (chance(at, 12) >= options_.confidence) {
      while (at > least_) {
        const std::uint64_t lower = below(at);
        if (chance(lower, 9) < options_.confidence) return {lower, at};
        at = lower;
      }
      return {at, at};
    }
    while (at < most_) {
      const std::uint64_t higher = above(at);
      if (chance(higher, 9) >= options_.confidence) return {at, higher};
      at = higher;
    }
    return {at, at};
  }

  void narrow(std::uint64_t low, std::uint64_t high) {
    while (high > low + 1 && static_cast<double>(high) > finest_step * static_cast<double>(low)) {
      const auto middle = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(low)) *
                                                     std::sqrt(static_cast<double>(high)));
      if (middle <= low || middle >= high) return;
      (chance(middle, 6) < options_.confidence ? low : high) = middle;
    }
  }

  /// Shows the curve down to a small chance and up to where the confidence is surely reached.
  void widen() {
    std::uint64_t at = points_.begin()->first;
    for (int i = 0; i < most_points_below && at > least_; ++i) {
      if (points_.begin()->second.chance <= low_chance) break;
      at = below(at);
      chance(at, 3);
    }
    at = points_.rbegin()->first;
    for (int i = 0; i < most_points_above && at < most_; ++i) {
      if (points_.rbegin()->second.chance_interval.lo >= options_.confidence) break;
      at = above(at);
      chance(at, 1);
    }
  }

  [[nodiscard]] std::uint64_t most() const { return most_; }
  [[nodiscard]] const Points& points() const { return points_; }

 private:
  [[nodiscard]] std::uint64_t below(std::uint64_t at) const {
    return std::max(least_, static_cast<std::uint64_t>(static_cast<double>(at) / step));
  }
  [[nodiscard]] std::uint64_t above(std::uint64_t at) const {
    return std::min(most_, static_cast<std::uint64_t>(static_cast<double>(at) * step) + 1);
  }

  const RecoveryStudy& study_;
  const PlanOptions& options_;
  Run& run_;
  std::atomic<int> surveys_ = 0;  // simulated so far
  std::uint64_t most_;
  std::uint64_t least_;  // with fewer, some items are in no question
  Points points_;
};

std::uint64_t rounded_up(double answers) { return static_cast<std::uint64_t>(std::ceil(answers)); }

/// The band: the crossing in surveys drawn again from those that were simulated.
void add_band(Plan& plan, const std::vector<double>& answers, int runs, double confidence,
              std::uint64_t seed) {
  Random random(key_for(seed, RandomUse::resampling));
  std::vector<double> crossings;
  for (int sample = 0; sample < resamples; ++sample) {
    std::vector<double> chance(answers.size(), 0);
    for (int draw = 0; draw < runs; ++draw) {
      const std::size_t run = random.below(static_cast<std::uint64_t>(runs));
      for (std::size_t i = 0; i < chance.size(); ++i) chance[i] += plan.curve[i].success[run];
    }
    for (double& share : chance) share /= runs;
    crossings.push_back(
        crossing(answers, chance, confidence).value_or(std::numeric_limits<double>::infinity()));
  }
  std::sort(crossings.begin(), crossings.end());
  const double fewest = crossings[resamples / 40];
  const double most = crossings[resamples - 1 - resamples / 40];
  if (std::isfinite(fewest)) plan.fewest = static_cast<std::uint64_t>(fewest);
  if (std::isfinite(most)) plan.most = rounded_up(most);
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

PlanPoint simulate_point(const RecoveryStudy& study, const Goal& goal, std::uint64_t answers,
                         Run& run) {
  std::atomic<int> surveys = 0;
  return point_of(study, goal, answers, surveys, 1, run);
}

Plan plan_answers(const RecoveryStudy& study, const PlanOptions& options, Run& run) {
  check(study, options);
  Search search(study, options, run);
  const auto [low, high] = search.bracket(answers_guess(study.model, study.survey));
  if (low < high) search.narrow(low, high);
  search.widen();
  Plan plan;
  plan.most_answers = search.most();
  std::vector<double> answers;
  std::vector<double> chance;
  for (const auto& [count, point] : search.points()) {
    plan.curve.push_back(point);
    answers.push_back(static_cast<double>(count));
    chance.push_back(point.chance);
  }
  if (const auto found = crossing(answers, chance, options.confidence)) {
    plan.answers = rounded_up(*found);
    add_band(plan, answers, study.runs, options.confidence, study.survey.seed);
  }
  return plan;
}

}  // namespace tertium
