#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/read.hpp"
#include "tertium/similarity.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {

/// load_similarity by a rule that need not be in the table; null: the usual one for the questions.
LoadedSimilarity load_by(const SimilarityRule* rule, const std::vector<InputFile>& inputs,
                         const LoadOptions& options, Run& run);

/// True for files that hold sums already: snapshots, and similarity matrices unless some flag says
/// how answers are to be read.
bool holds_sums(const InputFile& file, const LoadOptions& options);

/// Answers that were added up, for those who go over them again.
struct KeptAnswers {
  ComparisonList list;                       // of those that count under `repeats`; rows are those
                                             // of the similarity
  std::optional<double> repeat_agreement;    // chance that two answers to one question agree
  std::optional<double> prediction_ceiling;  // that follows from it
  const SimilarityRule* rule;                // by which they became S; never null
};

}  // namespace tertium::internal
