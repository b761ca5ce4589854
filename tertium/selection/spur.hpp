#pragma once

#include <optional>
#include <vector>

#include "tertium/partition.hpp"
#include "tertium/problem/problem.hpp"

namespace tertium::internal {

struct SpurOptions {
  /// Solve only until the choice is clear: a k with theta = 1 that wins all ties leaves the others
  /// without theta. Only with a method that uses certificates.
  bool choice_only = false;
  std::optional<ClusterRange> range;  // instead of the one that SDP-lambda gives
  int grid = 20;                      // Algorithm 1: how many lambdas; > 0
};

/// What was found for one number of clusters (or, in Algorithm 1, for one lambda).
struct SpurStep {
  int clusters = 0;
  std::optional<double> lambda;       // Algorithm 1 only
  std::optional<double> theta;        // none: not solved, as the choice was clear without
  bool rough = false;                 // theta is far from the largest, and right to about 0.1 only
  double objective = 0;               // <S,X> of the best X found; a partition if not solved
  std::optional<double> upper_bound;  // on <S,X>; none if not solved
  bool certified = false;             // the optimum is a partition, so theta is 1
};

/// One end of the range of lambda.
struct SpurEnd {
  double lambda = 0;
  std::optional<double> trace;  // of the optimum of SDP-lambda; none if it was not needed
};

struct SpurResult {
  int clusters = 0;  // the choice
  ClusterRange range;
  std::optional<SpurEnd> smallest;  // of lambda: the upper end of the range of k comes from it
  std::optional<SpurEnd> largest;
  std::vector<SpurStep> steps;  // by number of clusters (Algorithm 1: by lambda)

  /// The step of the choice; null if SPUR over lambda found nothing above one cluster.
  [[nodiscard]] const SpurStep* chosen() const;
};

/// Differences of theta up to this are taken for inaccuracy of the solves: their tolerance. Half
/// chooses the same.
inline constexpr double theta_tie = 1e-3;

/// The number of clusters by comparison-based SPUR (paper, Algorithm 2):
///
///   lambda_min = sqrt(c ln n / n),  lambda_max = c / n,  c the number of comparisons
///   k from max(2, round tr X_lambda_max) to round tr X_lambda_min + 2
///   the k whose X_k has the largest theta = (the sum of its k largest eigenvalues) / tr X_k
///
/// (The box in the paper has ln c where its text and theorem have ln n; this is ln n.) A certified
/// partition has theta = 1; if its interval of lambda meets [lambda_min, lambda_max] then its
/// k is in the range, since the trace falls with lambda, and nothing needs solving. Of several k
/// with the same theta the largest up to round tr X_lambda_min wins: it tells more apart and is as
/// clear-cut. With a method without certificates, as printed: solves only.
SpurResult choose_by_spur(Problem& problem, const SpurOptions& options = {});

/// The same without solving anything: the choice if a certificate settles it, else none.
std::optional<SpurResult> choose_by_certificate(Problem& problem, const SpurOptions& options = {});

/// SPUR over a grid of lambda (paper, Algorithm 1, after Yan, Sarkar and Cheng 2018):
/// lambda_t = (1 + lambda_max)^(t/T) - 1, t = 1 .. T, k_t = round tr X_t. Of the k_t above 1: one
/// cluster always has theta = 1 and says nothing. Of several with the same theta, the k that most
/// lambdas give.
SpurResult choose_by_lambda_grid(Problem& problem, const SpurOptions& options = {});

}  // namespace tertium::internal
