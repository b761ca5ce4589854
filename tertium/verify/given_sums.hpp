#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tertium/answers/stored_answers.hpp"
#include "tertium/core/integer_triangle.hpp"
#include "tertium/core/run.hpp"
#include "tertium/reading/read.hpp"

namespace tertium {

/// What a claim is checked against: a similarity of named items in exact numbers, and how it came
/// about in the words of docs/certificate.md.
struct GivenSums {
  std::string kind;  // "adds3", "adds4" or "precomputed"
  Repeats repeats = Repeats::sum;
  std::uint64_t comparisons = 0;   // triplets or quadruplets that went in
  std::vector<std::string> items;  // of the rows, each once, in any order
  IntegerTriangle triangle;
};

/// Reads files of answers and adds them up by the definition (section 4 of the paper):
///
///   triplet (a, b, c):          S_ab += w,  S_ac -= w
///   quadruplet (i, j, r, s):    S_ij += w,  S_rs -= w
///
/// in code of the checker's own, so that a mistake in the producer's sums cannot confirm itself.
/// Memory: that of a PairSums for every thread; if repeats are not summed, all answers too. Throws
/// InputError for what cannot be read, for no answer at all, and for a total weight beyond 64 bits;
/// Cancelled.
GivenSums add_up_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                         Repeats repeats, Run& run);

}  // namespace tertium
