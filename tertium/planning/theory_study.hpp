#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tertium/certificate/certify.hpp"
#include "tertium/planning/noise_estimates.hpp"
#include "tertium/planning/theory.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium {

/// What the paper's theory is asked about: clusters by item name, or so many clusters to be found
/// first; and the noise, if it is known.
struct TheoryOptions {
  std::optional<std::vector<std::string>> labels;  // of the items of the similarity, in its order
  std::optional<int> clusters;                     // instead
  std::optional<double> epsilon;                   // in (0, 1], both or none
  std::optional<double> delta;
};

/// What the paper's theory says about a similarity and a partition, beside what can be proved.
struct TheoryStudy {
  std::size_t items = 0;
  std::vector<std::uint64_t> sizes;  // of the clusters, the largest first
  SimilarityKind kind = SimilarityKind::adds3;
  std::uint64_t comparisons = 0;
  bool fitted = false;  // the partition was searched in the same answers

  Eigen::MatrixXd means;            // of S over blocks
  PropositionInterval proposition;  // with S~ made of them
  Certificate certificate;

  // With answers, not sums alone:
  std::optional<Estimate> epsilon;
  std::optional<Estimate> epsilon_delta;

  // With epsilon and delta, given or estimated:
  std::optional<Eigen::MatrixXd> expected;         // blocks of E[S]
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
