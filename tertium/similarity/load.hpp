#pragma once

#include <string>
#include <vector>

#include "tertium/comparisons/read.hpp"
#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

struct LoadOptions {
  ReadOptions read;
  Repeats repeats = Repeats::sum;
  int threads = 0;      // 0: one per core; the result does not depend on it
  bool matrix = false;  // the input is a similarity matrix, even if it could be answers
};

struct LoadedSimilarity {
  SimilarityMatrix similarity;
  ReadReport report;                   // of the files of answers, if there were any
  std::vector<std::string> snapshots;  // inputs that were snapshots
  std::uint64_t majority_ties = 0;     // questions left out by Repeats::majority
};

/// The similarity of all inputs together: files of answers, snapshots (which add up), or one matrix
/// made elsewhere. Throws InputError, or Cancelled if `progress` says stop.
LoadedSimilarity load_similarity(const std::vector<std::string>& inputs, const LoadOptions& options,
                                 const Progress& progress = {});

}  // namespace tertium
