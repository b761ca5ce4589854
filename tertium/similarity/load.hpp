#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/reading/read.hpp"
#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

struct LoadOptions {
  ReadOptions read;
  Repeats repeats = Repeats::sum;
  bool matrix = false;        // the input is a similarity matrix, even if it could be answers
  bool keep_answers = false;  // fill LoadedSimilarity::answers, for what needs them again
};

/// Answers that were added up, for those who go over them again.
struct KeptAnswers {
  ComparisonList list;                       // of those that count under `repeats`; rows are those
                                             // of the similarity
  std::optional<double> repeat_agreement;    // chance that two answers to one question agree
  std::optional<double> prediction_ceiling;  // that follows from it
};

struct LoadedSimilarity {
  SimilarityMatrix similarity;
  ReadReport report;                   // of the files of answers, if there were any
  std::uint64_t majority_ties = 0;     // questions left out by Repeats::majority
  std::optional<KeptAnswers> answers;  // if asked for, and if all inputs are files of answers
};

/// The similarity of all inputs together: files of answers, directories of them, snapshots (which
/// add up), or one matrix made elsewhere. Throws InputError, also if no answer could be used, or
/// Cancelled. Nothing depends on the number of threads.
LoadedSimilarity load_similarity(const std::vector<InputFile>& inputs, const LoadOptions& options,
                                 Run& run);

}  // namespace tertium
