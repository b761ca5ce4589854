#include "tertium/embedding/embed.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "tertium/answers/weighted_comparisons.hpp"
#include "tertium/core/random.hpp"
#include "tertium/error.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/krylov.hpp"
#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Losses that differ by less than this share are of the same points, as far as one can see.
constexpr double alike = 1e-3;

IntegerTriangle sums_of(const ComparisonList& list, std::span<const AnswerFactor> factor) {
  IntegerTriangle sums = list.pattern;
  if (!factor.empty()) add_up(list, factor, sums.value);
  return sums;
}

VectorBlock random_start(Index items, int dimensions, Random random) {
  VectorBlock points(items, dimensions);
  for (double& coordinate : points.reshaped<Eigen::RowMajor>()) {
    coordinate = random.normal() / std::sqrt(dimensions);
  }
  return points;
}

/// Weaker directions get at least this share of the strength of the first: where all items have the
/// same coordinate no loss has a slope, and the dimension would never be used.
constexpr double weakest = 0.01;

/// The leading eigenvectors of the sums of answers, centred, each by the root of its eigenvalue,
/// so scaled that points are at a distance of about 1: the hinges have a margin of 1, and the
/// others find their scale in a few steps. At random if no eigenvalue is positive.
VectorBlock spectral_start(const ComparisonList& list, std::span<const AnswerFactor> factor,
                           int dimensions, Run& run) {
  const SparseMap sums(sums_of(list, factor));
  const CentredMap centred(sums);
  KrylovOptions options;
  options.block = dimensions;
  options.random = run.stream("eigenvectors for an embedding");
  const KrylovResult leading = leading_eigenpairs(centred, dimensions, options, run);
  if (leading.vectors.cols() < dimensions || !(leading.values[0] > 0)) {
    return random_start(sums.size(), dimensions, run.stream("embedding", 0));
  }
  VectorBlock points(sums.size(), dimensions);
  for (Index c = 0; c < dimensions; ++c) {
    const double strength = std::max(leading.values[c], weakest * leading.values[0]);
    points.col(c) = leading.vectors.col(c) * std::sqrt(strength);
  }
  return points / std::sqrt(points.squaredNorm() / static_cast<double>(points.rows()));
}

VectorXd in_one_row(const VectorBlock& points) {
  return Eigen::Map<const VectorXd>(points.data(), points.size());
}

VectorBlock as_points(const VectorXd& row, int dimensions) {
  return Eigen::Map<const VectorBlock>(row.data(), row.size() / dimensions, dimensions);
}

/// Centred and turned along its principal axes; on each axis the item farthest from 0 (ties: the
/// first) has a positive coordinate.
VectorBlock upright(VectorBlock points) {
  points.rowwise() -= points.colwise().mean();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes(points.transpose() * points);
  VectorBlock turned = points * axes.eigenvectors().rowwise().reverse();
  for (Index c = 0; c < turned.cols(); ++c) {
    Index farthest = 0;
    turned.col(c).cwiseAbs().maxCoeff(&farthest);
    if (turned(farthest, c) < 0) turned.col(c) *= -1;
  }
  return turned;
}

}  // namespace

std::vector<FittedComparison> fitted_comparisons(const ComparisonList& list,
                                                 std::span<const AnswerFactor> factor) {
  std::vector<FittedComparison> comparisons;
  comparisons.reserve(list.comparisons());
  std::int64_t all = 0;
  for_each_weighted(list, factor,
                    [&](const Comparison& c, const ComparedPairs&, std::int64_t weight) {
                      comparisons.push_back({c, static_cast<double>(weight)});
                      all += weight;
                    });
  for (FittedComparison& comparison : comparisons) comparison.weight /= static_cast<double>(all);
  return comparisons;
}

double comparison_error(std::span<const FittedComparison> comparisons, const VectorBlock& points) {
  double wrong = 0;
  for (const auto& [c, weight] : comparisons) {
    const double near = (points.row(c.i) - points.row(c.j)).squaredNorm();
    const double far = (points.row(c.r) - points.row(c.s)).squaredNorm();
    if (near >= far) wrong += weight;
  }
  return wrong;
}

Embedding embed(const ComparisonList& list, std::span<const AnswerFactor> factor, const Loss& loss,
                const EmbedOptions& options, Run& run) {
  const auto items = static_cast<Index>(list.items());
  if (options.dimensions < 1 || options.dimensions >= items) {
    throw InputError({{},
                      fmt::format("--dimensions {}", options.dimensions),
                      fmt::format("1 to {} dimensions, fewer than the {} items",
                                  std::max<Index>(1, items - 1), items),
                      ""});
  }
  const std::vector<FittedComparison> comparisons = fitted_comparisons(list, factor);
  const Objective objective = [&](const VectorXd& points, VectorXd& gradient) {
    return loss.mean(comparisons, options.dimensions, points, gradient, run);
  };
  std::vector<DescentResult> found(static_cast<std::size_t>(options.starts));
  std::atomic<std::size_t> next = 0;
  run.workers(std::min(run.threads(), options.starts), [&](int) {
    for (std::size_t s = next++; s < found.size(); s = next++) {
      const VectorBlock start =
          s == 0 ? spectral_start(list, factor, options.dimensions, run)
                 : random_start(items, options.dimensions, run.stream("embedding", s));
      found[s] = descend(objective, in_one_row(start), options.descent, run);
    }
  });
  const auto best = std::min_element(
      found.begin(), found.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  Embedding result;
  result.points = upright(as_points(best->at, options.dimensions));
  result.loss = best->value;
  result.error = comparison_error(comparisons, result.points);
  result.settled = best->settled;
  for (const DescentResult& one : found) {
    result.starts_alike += one.value <= best->value * (1 + alike) ? 1 : 0;
  }
  return result;
}

}  // namespace tertium::internal
