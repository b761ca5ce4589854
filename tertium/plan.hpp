#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tertium/partition.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity.hpp"
#include "tertium/simulate.hpp"

namespace tertium {

/// A range that holds the true value in about 95 of 100 cases.
struct Interval {
  double lo = 0;
  double hi = 0;
};

/// The same surveys with different numbers of answers.
struct RecoveryStudy {
  PlantedModel model;
  Survey survey;   // its number of answers is not used; its seed is that of the study
  int runs = 200;  // surveys that are simulated, > 0
};

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

/// A number estimated from answers, with a 95 % interval.
struct Estimate {
  double value = 0;
  Interval interval;
  std::uint64_t questions = 0;  // that it rests on
};

/// Proposition 1 of the paper for S, a partition and S~ = Z Sigma Z'.
struct PropositionInterval {
  std::optional<double> delta_1;  // none: one cluster
  double delta_2 = 0;             // largest |mean of S - S~ from an item to a cluster|
  double lo = 0;                  // ||S - S~||_2
  std::optional<double> hi;       // n_min * min(delta_1 / 2, delta_1 - 6 delta_2)

  /// The partition is the unique optimum of SDP-lambda for lo < lambda < hi.
  [[nodiscard]] bool proves() const { return !hi || lo < *hi; }
};

struct TheoremConditions {
  double least_delta = 0;
  double least_answers = 0;
  double lambda_lo = 0;
  double lambda_hi = 0;
};

/// What the paper's theory is asked about: clusters by item name, or so many clusters to be found
/// first; and the noise, if it is known.
struct TheoryOptions {
  std::optional<std::vector<std::string>> labels;  // of the items of the similarity, in its order
  std::optional<int> clusters;                     // instead
  std::optional<double> epsilon;                   // in (0, 1], both or none
  std::optional<double> delta;
};

/// A number for every pair of clusters, row by row.
using Blocks = std::vector<std::vector<double>>;

/// What the paper's theory says about a similarity and a partition, beside what can be proved.
struct TheoryStudy {
  std::size_t items = 0;
  std::vector<std::uint64_t> sizes;  // of the clusters, the largest first
  std::string similarity;            // its rule
  bool quadruplets = false;          // what was asked
  std::uint64_t comparisons = 0;
  bool fitted = false;  // the partition was searched in the same answers

  Blocks means;                     // of S over blocks
  PropositionInterval proposition;  // with S~ made of them
  Certificate certificate;

  // With answers, not sums alone:
  std::optional<Estimate> epsilon;
  std::optional<Estimate> epsilon_delta;

  // With epsilon and delta, given or estimated:
  std::optional<Blocks> expected;                  // blocks of E[S]
  std::optional<PropositionInterval> at_expected;  // with S~ made of them
  std::optional<TheoremConditions> theorem;
  double used_epsilon = 0;
  double used_delta = 0;
};

/// Examines answers that were loaded with `keep_answers`, or sums alone. Throws InputError if the
/// options contradict each other or do not fit the data, Cancelled.
TheoryStudy study_theory(const LoadedSimilarity& loaded, const TheoryOptions& options, Run& run);

/// Throws InputError if the options contradict each other: before the answers are read.
void validate(const TheoryOptions& options);

}  // namespace tertium
