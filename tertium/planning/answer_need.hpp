#pragma once

#include <optional>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/certificate/certify.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// Whether there are enough answers, by the noise that the data show.
struct AnswerNeed {
  double answers = 0;               // comparisons that there are
  double signal = 0;                // estimate of epsilon * delta, see docs/cluster.md
  double theorem = 0;               // what Theorem 1 asks for, with its constant as calibrated
                                    // (TheoremConstants)
  std::optional<double> for_proof;  // about so many would be enough for a certificate
};

/// For the labels of a partition into two clusters or more. None if no answer compares a pair
/// inside a cluster with one between clusters, or if those that do speak against the clusters.
std::optional<AnswerNeed> answer_need(const SimilarityMatrix& similarity,
                                      const ComparisonList& comparisons, const Labels& labels,
                                      const std::optional<Certificate>& certificate);

}  // namespace tertium::internal
