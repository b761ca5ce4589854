#pragma once

#include <span>
#include <vector>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/embedding/loss_table.hpp"
#include "tertium/run.hpp"
#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

struct EmbedOptions {
  int dimensions = 2;  // > 0, below the number of items
  int starts = 4;      // > 0: the first from the eigenvectors of the sums, the others at random
  DescentOptions descent;
};

/// Items as points.
struct Embedding {
  VectorBlock points;    // items x dimensions: centred, along its principal axes, the widest first
  double loss = 0;       // mean over the comparisons
  double error = 0;      // share of the weight of comparisons that the points contradict
  int starts_alike = 0;  // starts that ended within 0.1 % of the smallest loss, itself included
  bool settled = false;  // the descent to it did
};

/// The points with the smallest mean loss that some starts lead to, when answer t counts
/// `factor[t]` times its weight (empty: once). Every start draws from a stream of its own, and
/// nothing depends on the number of answers but the sum over them. Throws InputError if there are
/// as many dimensions as items or more, Cancelled.
Embedding embed(const ComparisonList& list, std::span<const AnswerFactor> factor, const Loss& loss,
                const EmbedOptions& options, Run& run);

/// What `embed` fits: comparisons that count, with their share of all weight.
std::vector<FittedComparison> fitted_comparisons(const ComparisonList& list,
                                                 std::span<const AnswerFactor> factor);

/// The share of the weight of comparisons whose first pair is not nearer than the second.
double comparison_error(std::span<const FittedComparison> comparisons, const VectorBlock& points);

}  // namespace tertium::internal
