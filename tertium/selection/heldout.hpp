#pragma once

#include <cstdint>
#include <vector>

#include "tertium/problem/reweighting.hpp"

namespace tertium::internal {

struct HeldoutOptions {
  int least = 1;           // clusters to begin with, >= 1
  int most = 0;            // clusters to end with; 0: half the items, at most 20
  bool stop_early = true;  // when more clusters have clearly become worse
  /// Parts of the answers, each held out once, >= 2. With 2 the planted k is found in 13 of 27 sets
  /// instead of 18 (see heldout.cpp); with 10 in 18, in 1.7 times the time.
  int folds = 5;
  /// Of k-means per partition, > 0. With 1, 3 and 6 the planted k is found in 56, 55 and 61 of 83
  /// sets; 6 take 1.2 times as long.
  int restarts = 3;
};

/// How well k clusters, found without them, predict answers.
struct HeldoutPoint {
  int clusters = 0;
  double log_likelihood = 0;      // mean per held-out answer, natural logarithm; k = 1: ln(1/2)
  double standard_error = 0;      // of that mean, over answers
  std::vector<double> by_fold;    // the mean of every fold that has answers
  std::uint64_t predictable = 0;  // held-out answers for which the table prefers one side
  std::uint64_t right = 0;        // of these, those that went as it says
};

struct HeldoutCurve {
  int clusters = 0;                  // the chosen k
  std::vector<HeldoutPoint> points;  // for least, least + 1, ...
};

/// Lets answers that were kept aside choose the number of clusters. The answers are cut into folds
/// by question, so that repeats of a question and both comparisons of one answer stay together. For
/// each fold, partitions with every k are found on the other folds by the method that makes the
/// clustering (a search shares the eigenvectors of a fold among all k, and starts also from the
/// best k-1 with one cluster split), a BlockTable is learnt from them, and the fold is scored by
/// its log-likelihood under the table; an answer of two comparisons counts their mean.
///
/// Memory: 24 bytes per pair in the list, per thread. Cost per k and fold: a refit and a pass.
HeldoutCurve heldout_curve(const ComparisonList& list, const Refitting& refitting,
                           const HeldoutOptions& options, Run& run);

/// The k that a curve speaks for: the smallest k that has 95 % of what the best k gains over
/// chance, ln(1/2), or lies within one standard error (over folds, of the difference) of it. The
/// first k if the gain itself is within two standard errors.
///
/// Why not simply the best: with many answers every cut through a cloud of items predicts a little
/// better, and the best k grows with the data (MNIST: 14). Where there are clusters, missing one
/// costs far more than 5 % (planted k = 10: 20 %), and cutting one in two gains nothing. So much
/// small print is lost: a cluster that explains less than 5 % is not seen.
int choose_clusters(const std::vector<HeldoutPoint>& points);

}  // namespace tertium::internal
