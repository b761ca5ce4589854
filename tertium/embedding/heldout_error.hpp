#pragma once

#include <vector>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/embed.hpp"
#include "tertium/embedding/embed.hpp"

namespace tertium::internal {

/// Fits points without each fold in turn, and counts the answers of the fold that they contradict.
/// All answers to one question are in one fold, and folds are the same for all dimensions.
HeldoutError heldout_error(const ComparisonList& list, const Loss& loss,
                           const EmbedOptions& options, int folds, Run& run);

/// The fewest dimensions whose error is within one standard error of the smallest.
int choose_dimensions(const std::vector<HeldoutError>& errors);

}  // namespace tertium::internal
