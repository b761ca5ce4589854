#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/plan.hpp"
#include "tertium/planted/model.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// The share p of all questions that `comparisons` are. Not for precomputed similarities.
double sampling_rate(bool quadruplets, std::uint64_t comparisons, std::uint64_t items);

/// The blocks Sigma of E[S] in the planted model (section 4 of the paper), k x k:
///
///   AddS-3   2 p e d (n - n_a) inside a,      -p e d (n_a + n_b - 2) between a and b
///   AddS-4   p e d * (pairs between clusters) inside,   -p e d * (pairs inside clusters) between
///
/// with p the sampling rate, e = epsilon, d = delta. Triplets and quadruplets only.
Eigen::MatrixXd expected_similarity(bool quadruplets, const std::vector<std::uint64_t>& sizes,
                                    double rate, double epsilon_delta);

/// The means of S over blocks, its diagonal left out: the Sigma that fits best. Clusters of one
/// item have 0 inside.
Eigen::MatrixXd block_means(const SparseMap& similarity, const Labels& labels, Run& run);

/// Delta_1 of Proposition 1: the smallest of (Sigma_aa + Sigma_bb) / 2 - Sigma_ab over a != b; none
/// for one cluster. (The paper prints p e d (n - 2) for AddS-3; its own blocks give 2 p e d (n-1).)
std::optional<double> separation(const Eigen::MatrixXd& sigma);

/// The norm is exact up to rounding for up to 1000 items; above, from Lanczos, to about 1e-6.
PropositionInterval proposition_interval(const SparseMap& similarity, const Labels& labels,
                                         const Eigen::MatrixXd& sigma, Run& run);

/// The constants of Theorem 1. The paper proves that there are some; these were calibrated by
/// simulation (docs/planning.md) and are no part of the proof.
struct TheoremConstants {
  // docs/planning.md says how, and from which ratios in which models: half of c2 is what the easier
  // ones need, double is more than any does.
  double c1 = 1;    // delta > c1 sqrt(n ln n) / n_min
  double c2 = 0.3;  // answers > c2 n^3 (ln n)^2 / (epsilon^2 delta^2 n_min^2)
  double c3 = 2.8;  // lambda > c3 max(sqrt(m ln n / n), m epsilon sqrt(ln n / n^3), (ln n)^2)
  double c4 = 2;    // lambda < c4 m epsilon delta n_min / n^2
};

/// Theorem 1 for m answers about n items, the smallest cluster having n_min.
TheoremConditions theorem_conditions(std::uint64_t items, std::uint64_t smallest, double answers,
                                     double epsilon, double delta,
                                     const TheoremConstants& constants = {});

/// The theorem's number of answers for a model: where a search for the true one starts.
std::uint64_t answers_guess(const PlantedModel& model, const Survey& survey);

}  // namespace tertium::internal
