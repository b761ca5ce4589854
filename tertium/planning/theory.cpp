#include "tertium/planning/theory.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tertium/core/random.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/krylov.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// All eigenvalues take a moment so far, and leave nothing to doubt; with double, eight times as
/// long.
constexpr Index most_items_dense = 1000;
/// Two digits more than are shown.
constexpr double norm_tolerance = 1e-6;
constexpr int most_norm_steps = 200;

std::vector<double> sizes_of(const Labels& labels) {
  std::vector<double> sizes(static_cast<std::size_t>(count_clusters(labels)), 0);
  for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

double spectral_norm(const SymmetricMap& map, Run& run) {
  if (map.size() <= most_items_dense) {
    return symmetric_eigenvalues(to_dense(map)).cwiseAbs().maxCoeff();
  }
  KrylovOptions options;
  options.block = 4;
  options.most_steps = most_norm_steps;
  double last = 0;
  options.enough = [&](const RitzRange& range) {
    const double norm = std::max(range.top, -range.lowest);
    const bool settled = norm - last <= norm_tolerance / 10 * norm;
    last = norm;
    return settled;
  };
  options.random = run.stream("norm");
  const KrylovResult result = leading_eigenpairs(map, 0, options, run);
  return std::max(result.range.top, -result.range.lowest);
}

}  // namespace

double sampling_rate(bool quadruplets, std::uint64_t comparisons, std::uint64_t items) {
  const QuestionKind question = quadruplets ? QuestionKind::quadruplet : QuestionKind::triplet;
  return static_cast<double>(comparisons) / count_questions(question, items);
}

MatrixXd expected_similarity(bool quadruplets, const std::vector<std::uint64_t>& sizes, double rate,
                             double epsilon_delta) {
  const auto clusters = static_cast<Index>(sizes.size());
  const auto n = static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
  double pairs_inside = 0;
  for (const std::uint64_t size : sizes) {
    pairs_inside += static_cast<double>(size) * (static_cast<double>(size) - 1) / 2;
  }
  const double pairs_between = n * (n - 1) / 2 - pairs_inside;
  MatrixXd sigma(clusters, clusters);
  for (Index a = 0; a < clusters; ++a) {
    for (Index b = 0; b < clusters; ++b) {
      const auto n_a = static_cast<double>(sizes[static_cast<std::size_t>(a)]);
      const auto n_b = static_cast<double>(sizes[static_cast<std::size_t>(b)]);
      if (quadruplets) {
        sigma(a, b) = a == b ? pairs_between : -pairs_inside;
      } else {
        sigma(a, b) = a == b ? 2 * (n - n_a) : -(n_a + n_b - 2);
      }
    }
  }
  return rate * epsilon_delta * sigma;
}

MatrixXd block_means(const SparseMap& similarity, const Labels& labels, Run& run) {
  const int clusters = count_clusters(labels);
  const std::vector<double> sizes = sizes_of(labels);
  const std::vector<std::int64_t> sums = ClusterSums(similarity, labels, clusters, run).between();
  MatrixXd means(clusters, clusters);
  for (Index a = 0; a < clusters; ++a) {
    for (Index b = 0; b < clusters; ++b) {
      const double n_a = sizes[static_cast<std::size_t>(a)];
      const double n_b = sizes[static_cast<std::size_t>(b)] - (a == b ? 1 : 0);
      const auto sum = static_cast<double>(sums[static_cast<std::size_t>(a * clusters + b)]);
      means(a, b) = n_b > 0 ? sum / similarity.denominator() / (n_a * n_b) : 0;
    }
  }
  return means;
}

std::optional<double> separation(const MatrixXd& sigma) {
  std::optional<double> least;
  for (Index a = 0; a < sigma.rows(); ++a) {
    for (Index b = 0; b < a; ++b) {
      const double here = (sigma(a, a) + sigma(b, b)) / 2 - sigma(a, b);
      if (!least || here < *least) least = here;
    }
  }
  return least;
}

PropositionInterval proposition_interval(const SparseMap& similarity, const Labels& labels,
                                         const MatrixXd& sigma, Run& run) {
  PropositionInterval result;
  const std::vector<double> sizes = sizes_of(labels);
  const ClusterSums sums(similarity, labels, static_cast<int>(sizes.size()), run);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t l = 0; l < sizes.size(); ++l) {
      const double sum = static_cast<double>(sums.to_cluster(i, static_cast<int>(l)));
      const double mean = sum / similarity.denominator() / sizes[l];
      const double deviation = mean - sigma(labels[i], static_cast<Index>(l));
      result.delta_2 = std::max(result.delta_2, std::abs(deviation));
    }
  }
  const BlockConstantMap expected(labels, sigma);
  result.lo = spectral_norm(SumMap({{1, &similarity}, {-1, &expected}}), run);
  result.delta_1 = separation(sigma);
  if (result.delta_1) {
    const double smallest = *std::min_element(sizes.begin(), sizes.end());
    result.hi = smallest * std::min(*result.delta_1 / 2, *result.delta_1 - 6 * result.delta_2);
  }
  return result;
}

TheoremConditions theorem_conditions(std::uint64_t items, std::uint64_t smallest, double answers,
                                     double epsilon, double delta,
                                     const TheoremConstants& constants) {
  const auto n = static_cast<double>(items);
  const auto n_min = static_cast<double>(smallest);
  const double ln = std::log(n);
  const double signal = epsilon * delta * n_min;
  TheoremConditions result;
  result.least_delta = constants.c1 * std::sqrt(n * ln) / n_min;
  result.least_answers = constants.c2 * n * n * n * ln * ln / (signal * signal);
  result.lambda_lo =
      constants.c3 * std::max({std::sqrt(answers * ln / n),
                               answers * epsilon * std::sqrt(ln / (n * n * n)), ln * ln});
  result.lambda_hi = constants.c4 * answers * signal / (n * n);
  return result;
}

std::uint64_t answers_guess(const PlantedModel& model, const Survey& survey) {
  const std::uint64_t smallest = *std::min_element(model.sizes.begin(), model.sizes.end());
  const double guess =
      theorem_conditions(count_items(model), smallest, 1, mean_epsilon(survey), model.delta)
          .least_answers;
  constexpr double largest = 1e15;  // of a guess: far above what can be simulated
  return static_cast<std::uint64_t>(std::clamp(guess, 1.0, largest));
}

}  // namespace tertium::internal
