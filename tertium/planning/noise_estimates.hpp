#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/plan.hpp"
#include "tertium/planning/interval.hpp"

namespace tertium::internal {

/// Epsilon from questions that were answered more than once. Two answers to a question with o
/// options agree with probability e^2 + (1 - e^2) / o, whatever the similarities are; pairs of
/// answers to the same question give that probability, and it gives e. Where participants differ,
/// the value is the root of the mean product of two of their epsilons. None if no question was
/// repeated, or if questions of two and three options are mixed. Weights are not used.
std::optional<Estimate> estimate_epsilon(const AnswerColumns& answers);

/// Epsilon * delta from answers that compare a pair inside a cluster with a pair between clusters:
/// the pair inside is preferred with probability (1 + e d) / 2. `labels` are by the numbers of
/// items; items with a negative label are left out. The interval allows for similarities that
/// several answers share (clusters of answers by both pairs). The labels are taken to be right:
/// wrong ones make the value too small, and labels fitted to few of the same answers make it too
/// large. Triplets and quadruplets only; none if no answer compares so.
std::optional<Estimate> estimate_epsilon_delta(const AnswerColumns& answers, const Labels& labels);

}  // namespace tertium::internal
