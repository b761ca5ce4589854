#pragma once

#include "tertium/cluster/clustering.hpp"

namespace tertium::internal {

/// Throws InputError if the number of clusters asked for does not fit: `has_answers` says whether
/// answers can be held out.
void check_count(const ClusterOptions& options, const SimilarityMatrix& similarity,
                 std::size_t left_out, bool has_answers);

/// What chooses the number of clusters.
struct NumberChoice {
  Problem& problem;
  const ComparisonList* list;  // null: no answers to hold out
  const Refitting& refitting;
  const ClusterOptions& options;
};

/// Chooses the number of clusters, as the options say, and fills in what that is based on: `spur`,
/// `heldout`, and warnings. Asks the problem for candidates.
void choose_number(const NumberChoice& choice, Clustering& result);

}  // namespace tertium::internal
