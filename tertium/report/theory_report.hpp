#pragma once

#include <optional>
#include <string>

#include "tertium/certificate/certify.hpp"
#include "tertium/planning/noise_estimates.hpp"
#include "tertium/planning/theory.hpp"

namespace tertium {

/// What the paper's theory says about a similarity and a partition, beside what can be proved.
struct TheoryReport {
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

std::string theory_as_text(const TheoryReport& report);
std::string theory_as_json(const TheoryReport& report);

}  // namespace tertium
