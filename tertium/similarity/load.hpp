#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/read.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// True for files that hold sums already: snapshots, and similarity matrices unless some flag says
/// how answers are to be read.
bool holds_sums(const InputFile& file, const LoadOptions& options);

/// Answers that were added up, for those who go over them again.
struct KeptAnswers {
  ComparisonList list;                       // of those that count under `repeats`; rows are those
                                             // of the similarity
  std::optional<double> repeat_agreement;    // chance that two answers to one question agree
  std::optional<double> prediction_ceiling;  // that follows from it
};

}  // namespace tertium::internal
