#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tertium/planning/recovery.hpp"

namespace tertium {

/// When a simulated survey counts as a success: the adjusted Rand index between the clusters found
/// and those planted reaches this. 1: every item is in its cluster.
struct Goal {
  double adjusted_rand = 1;  // in (0, 1]
};

/// One number of answers, simulated in all runs.
struct PlanPoint {
  std::uint64_t answers = 0;
  double chance = 0;                  // share of runs that reached the goal
  Interval chance_interval;           // what that says about the chance, 95 %
  double mean_index = 0;              // of the adjusted Rand index
  double low_index = 0;               // 5 % of runs are below
  std::vector<std::uint8_t> success;  // of each run
};

PlanPoint simulate_point(const RecoveryStudy& study, const Goal& goal, std::uint64_t answers,
                         Run& run);

struct PlanOptions {
  Goal goal;
  double confidence = 0.95;  // the chance of success that is asked for, in (0, 1)
};

struct Plan {
  /// Answers needed; none if the chance stays below the confidence up to `most_answers`.
  std::optional<std::uint64_t> answers;
  /// 95 % band for them: what other runs of the simulation could have said. `most` is none if it
  /// may be more than was simulated.
  std::optional<std::uint64_t> fewest;
  std::optional<std::uint64_t> most;
  std::uint64_t most_answers = 0;  // where the search would have ended
  std::vector<PlanPoint> curve;    // by increasing number of answers
};

/// The number of answers at which the chance of success reaches the confidence: brackets it by
/// steps of a factor, halves the bracket, and reads the number off the increasing curve through all
/// points. The band comes from resampling the runs. Cost: about 12 points of `study.runs` searches.
/// Throws InputError or Cancelled.
Plan plan_answers(const RecoveryStudy& study, const PlanOptions& options, Run& run);

}  // namespace tertium
