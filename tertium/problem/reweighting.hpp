#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {

/// How a clustering is made again from other weights of the answers: what it was made by.
struct Refitting {
  const SimilarityRule& rule;
  const Method& method;
  ProblemOptions options;
};

/// Makes the S of a problem anew from answers of which some count more and some less: folds and
/// resamples. One for each thread.
class Reweighting {
 public:
  /// `list` and `rule` must outlive this.
  Reweighting(const ComparisonList& list, const SimilarityRule& rule) : list_(list), rule_(rule) {}

  /// S of all answers.
  [[nodiscard]] const IntegerTriangle& all(Run& run);
  /// Answer t counts `factor[t]` times its weight. The problem was made from `all`.
  void apply(std::span<const AnswerFactor> factor, Problem& problem);

 private:
  const ComparisonList& list_;
  const SimilarityRule& rule_;
  std::vector<AnswerFactor> factor_;  // if the method goes over answers
  std::vector<std::int64_t> sums_;
  IntegerTriangle built_;  // if the rule is not additive
};

}  // namespace tertium::internal
