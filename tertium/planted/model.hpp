#pragma once

#include <cstdint>
#include <vector>

#include "tertium/planted/latent.hpp"
#include "tertium/planted/questions.hpp"

namespace tertium {

/// What is planted: section 2 of the paper.
struct PlantedModel {
  std::vector<std::uint64_t> sizes;  // of the clusters, each at least 1
  double delta = 0.5;                // P(w_in > w_out) = (1 + delta) / 2, 0 < delta <= 1
  LatentFamily family = LatentFamily::normal;
  bool as_printed = false;  // see latent_distributions
};

/// What is asked and how well it is answered.
struct Survey {
  QuestionKind kind = QuestionKind::triplet;
  std::uint64_t answers = 0;
  Sampling sampling = Sampling::without_replacement;
  /// An answer follows the similarities with probability epsilon and is a guess otherwise: right
  /// with probability (1 + epsilon) / 2 where there are two options. In (0, 1]; one for all, or one
  /// for each participant.
  std::vector<double> epsilon = {0.75};
  std::uint64_t participants = 0;  // who answer in turn; 0: nobody is named
  std::uint64_t seed = 1;
};

/// Sizes that differ by at most one; 1 <= clusters <= items.
std::vector<std::uint64_t> equal_sizes(std::uint64_t items, std::uint64_t clusters);

/// Sizes in the given proportions, which must be positive and sum to 1: rounded so that they sum to
/// `items`. Throws InputError, also if a cluster would be empty.
std::vector<std::uint64_t> sizes_in_proportion(std::uint64_t items,
                                               const std::vector<double>& proportions);

/// Epsilons of participants, evenly spaced from mean - spread to mean + spread and shuffled.
std::vector<double> spread_epsilon(double mean, double spread, std::uint64_t participants,
                                   std::uint64_t seed);

/// Number of items: the sum of the sizes. Throws InputError if a cluster is empty.
std::uint64_t count_items(const PlantedModel& model);

/// The mean over participants.
double mean_epsilon(const Survey& survey);

/// `items`, if the survey is possible with so many; else throws InputError, naming the flag and the
/// range.
std::uint64_t checked_items(const Survey& survey, std::uint64_t items);

}  // namespace tertium
