#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/read.hpp"
#include "tertium/run.hpp"

namespace tertium {

namespace internal {
class SimulatedAnswers;
}

/// The distributions F_in and F_out of the paper's planted model (section 2 and the appendix on
/// F_in, F_out):
///   normal          F_in = N(mean, sigma^2),  F_out = N(0, sigma^2),  sigma = 0.1
///   beta            F_in = Beta(alpha, 2),    F_out = Uniform(0, 1)
///   uniform_normal  F_in = N(mean, 1),        F_out = Uniform(0, 1)
enum class LatentFamily : std::uint8_t { normal, beta, uniform_normal };

std::string_view to_string(LatentFamily family);  // "normal", "beta", "uniform-normal"
std::optional<LatentFamily> parse_latent_family(std::string_view text);

/// How questions are chosen, always all of them equally likely.
enum class Sampling : std::uint8_t {
  without_replacement,  // no question twice, as in the paper
  with_replacement      // each question independently of the others
};

/// How many different questions there are about n items: n C(n-1, 2) triplets, C(C(n, 2), 2)
/// quadruplets, C(n, 3) for odd-one-out and most-central. Exact below 2^53.
double count_questions(QuestionKind kind, std::uint64_t items);

/// What is planted: section 2 of the paper.
struct PlantedModel {
  std::vector<std::uint64_t> sizes;  // of the clusters, each at least 1
  double delta = 0.5;                // P(w_in > w_out) = (1 + delta) / 2, 0 < delta <= 1
  LatentFamily family = LatentFamily::normal;
  bool as_printed = false;  // uniform_normal with the mean that the paper prints
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

/// Sizes as users write them, separated by commas: whole numbers, which must sum to `items`, or
/// else proportions. Throws InputError.
std::vector<std::uint64_t> parse_sizes(std::string_view text, std::uint64_t items);

/// Epsilons of participants, evenly spaced from mean - spread to mean + spread and shuffled.
std::vector<double> spread_epsilon(double mean, double spread, std::uint64_t participants,
                                   std::uint64_t seed);

/// Number of items: the sum of the sizes. Throws InputError if a cluster is empty.
std::uint64_t count_items(const PlantedModel& model);

/// How alike two points are. Comparisons see only which of two similarities is larger.
enum class PointSimilarity : std::uint8_t {
  gaussian,  // exp(-|x - y|^2 / gamma^2), the same comparisons for every gamma
  cosine     // <x, y> / (|x| |y|)
};

std::optional<PointSimilarity> parse_point_similarity(std::string_view text);

/// Items with coordinates.
struct Points {
  std::uint64_t count = 0;
  std::size_t dimensions = 0;
  std::vector<double> coordinates;  // a row of `dimensions` numbers for each point
  PointSimilarity similarity = PointSimilarity::gaussian;

  /// Larger for more similar points: minus the squared distance, or the inner product.
  [[nodiscard]] double likeness(std::uint64_t i, std::uint64_t j) const;
};

/// Reads a table of points (read_point_table); items are numbered, so that names do not matter.
/// For the cosine similarity rows are scaled to length 1. Throws InputError, for cosine also for
/// points at the origin.
Points read_points(const InputFile& file, PointSimilarity similarity);

/// A number of answers as users write it: a whole number ("329617", "1e6"), a rate between 0 and 1
/// (that share of the `questions` there are, rounded), or a formula in n (items) and k (clusters)
/// with + - * / ^, parentheses, ln and sqrt ("n*ln(n)^3", rounded). Throws InputError.
std::uint64_t parse_answer_count(std::string_view text, double items, double clusters,
                                 double questions);

/// The answers to a survey, each found from its number alone: nothing but n labels (or points) is
/// stored. The first m answers are the same for every number of answers: surveys with one seed are
/// parts of each other.
class Simulation {
 public:
  /// Throws InputError for values that are not allowed, naming the flag and the range.
  Simulation(const PlantedModel& model, const Survey& survey);
  Simulation(Points points, const Survey& survey);

  [[nodiscard]] const Survey& survey() const;
  [[nodiscard]] std::uint64_t items() const;
  /// The cluster of each item, 0 .. k-1, in random order. Empty for points.
  [[nodiscard]] const std::vector<std::int32_t>& labels() const;
  /// Answers [first, first + count), items_in(kind) items for each, ordered as in Answer. May be
  /// called from several threads.
  void fill(std::uint64_t first, std::uint64_t count, ItemId* items) const;

  [[nodiscard]] const internal::SimulatedAnswers& details() const { return *answers_; }

 private:
  std::shared_ptr<const internal::SimulatedAnswers> answers_;  // never null
};

/// Where a simulation is written, "-" for standard output.
struct SimulationFiles {
  std::string answers;
  std::string truth;  // the planted clusters; empty: nowhere
};

/// Writes the answers as CSV: `anchor,near,far`, `i,j,k,l`, `a,b,odd` or `central,other1,other2`,
/// and `participant` (p1, p2, ...) if there are any; and the truth as `item,cluster`, clusters
/// numbered from 1. Items are 0 .. n-1. Both files or none. Memory does not grow with the number of
/// answers; the bytes do not depend on the number of threads. Throws Cancelled.
void write_simulation(const Simulation& simulation, const SimulationFiles& files, Run& run);

}  // namespace tertium
