#pragma once

#include "tertium/answers/comparison_list.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

struct NullTestOptions {
  int draws = 0;  // at most; 0: by the cost, 39 to 199, see draws_for
  /// Of one core of a usual machine, when `draws` is 0. By the model of the cost it
  /// decides from some 500 items or 2,500,000 answers on, down to 39 draws.
  double seconds = 1.5;
};

struct NullTestResult {
  double p_value = 1;
  int draws = 0;
  double observed = 0;   // the leading eigenvalue of S
  double null_mean = 0;  // of it over the draws
  double null_largest = 0;
};

/// Is there any structure at all? Compares the leading eigenvalue of S with what it would be if
/// every answer were picked at random: in each draw, a triplet or quadruplet is turned round with
/// probability 1/2, and an odd-one-out or most-central answer becomes each of the three possible
/// ones with probability 1/3 (turning its comparisons round would make answers that nobody can
/// give, and p-values that are too small). Each answer is drawn on its own, those to a repeated
/// question too; so people who agree with each other about a question count as structure, as does
/// one person who repeats himself.
///
/// p = (1 + draws with at least the observed value) / (1 + draws), which is valid at any number
/// of draws: under the null, P(p <= a) <= a. If ten draws have reached the observed value, no more
/// are made, and p = 10 / draws (Besag and Clifford 1991), which is valid too.
///
/// "Eigenvalue" is the top Ritz value after a fixed number of Lanczos steps from a fixed start. As
/// it is the same function of the answers in every draw, what Lanczos misses cannot bend p.
NullTestResult null_test(const ComparisonList& list, const NullTestOptions& options, Run& run);

/// Number of draws for about `seconds`, by a model of the cost that never looks at the clock.
int draws_for(const ComparisonList& list, double seconds);

}  // namespace tertium::internal
