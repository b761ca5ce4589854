#include "tertium/verify/partition.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/verify/rounding.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::Index;
__extension__ using Wide = __int128;

/// u and t are n_l (or n_j n_l) times a sum of five terms. A term has a relative error of at most
/// 3 unit_roundoff (sums of S bring 2, a division 1; the weight of lambda has 4 operations), the
/// additions and the last product bring 5 more, each relative to at most the sum of the absolute
/// terms: 9 in all. 16 leaves room for second order and for the rounding of this bound itself.
constexpr double multiplier_error = 16 * unit_roundoff;

void add_exactly(std::int64_t& sum, std::int64_t value) {
  if (__builtin_add_overflow(sum, value, &sum)) {
    throw InputError({{}, "a similarity whose sums leave 64 bits", "smaller weights", ""});
  }
}

/// A number of the form factor * (sum of terms - lambda * weight) and a bound on its error.
struct Bounded {
  double number;
  double error;
};

/// B_jj / 2 for every cluster, and the weight of lambda between two clusters.
struct Means {
  explicit Means(const Partition& partition) : size(partition.size), half(size.size()) {
    for (Index j = 0; j < size.size(); ++j) {
      half(j) = partition.block(j, j) / (size(j) * size(j)) / 2;
    }
  }

  /// factor * (first - second + half_a - half_b - lambda * weight(j,l))
  [[nodiscard]] Bounded combine(Index j, Index l, double factor, double first, double second,
                                double half_a, double half_b, double lambda) const {
    const double shift = lambda * (1 / (2 * size(j)) + 1 / (2 * size(l)));
    const double scale =
        std::abs(first) + std::abs(second) + std::abs(half_a) + std::abs(half_b) + std::abs(shift);
    return {factor * (((first - second) + (half_a - half_b)) - shift),
            multiplier_error * factor * scale};
  }

  const Eigen::VectorXd& size;
  Eigen::VectorXd half;
};

/// The squares of the norms of u_i^l and of their errors over the items of each cluster.
struct SquaredNorms {
  explicit SquaredNorms(Index k) : u(Eigen::MatrixXd::Zero(k, k)), error(u) {}

  Eigen::MatrixXd u;      // k x k: over i in j, of u_i^l
  Eigen::MatrixXd error;  // the same of the bounds on their errors
};

[[noreturn]] void refuse_condition(std::string_view end, double lambda, const std::string& found,
                                   double error) {
  refuse(fmt::format("condition 1 at {} = {}", end, lambda), found,
         fmt::format("more than 0 (rounding: {:.1e})", error));
}

/// Fills u, all of them positive.
SquaredNorms fill_u(const Claim& claim, const Partition& partition, const Means& means,
                    std::string_view end, Multipliers& result) {
  const Index n = partition.to_cluster.rows();
  const Index k = partition.to_cluster.cols();
  result.u = Eigen::MatrixXd::Zero(n, k);
  SquaredNorms norms(k);
  for (Index l = 0; l < k; ++l) {
    for (Index i = 0; i < n; ++i) {
      const auto j = static_cast<Index>(partition.cluster[static_cast<std::size_t>(i)]);
      if (j == l) continue;
      const auto [u, error] = means.combine(
          j, l, means.size(l), partition.to_cluster(i, j) / means.size(j),
          partition.to_cluster(i, l) / means.size(l), means.half(l), means.half(j), result.lambda);
      if (!(u > error)) {  // also if it is not a number
        refuse_condition(end, result.lambda,
                         fmt::format("u = {:.6g} for item {} and cluster {}", u,
                                     in_quotes(claim.items[static_cast<std::size_t>(i)]), l + 1),
                         error);
      }
      result.u(i, l) = u;
      norms.u(j, l) += u * u;
      norms.error(j, l) += error * error;
    }
  }
  return norms;
}

/// Fills t, and how far Gamma from these u and t can be from the exact one.
void fill_t(const Partition& partition, const Means& means, const SquaredNorms& norms,
            std::string_view end, Multipliers& result) {
  const Index k = partition.block.rows();
  result.t = Eigen::MatrixXd::Zero(k, k);
  double squared_norm = 0;
  double squared_error = 0;
  for (Index l = 0; l < k; ++l) {
    for (Index j = 0; j < l; ++j) {
      const double area = means.size(j) * means.size(l);
      const auto [t, t_error] = means.combine(
          j, l, area, means.half(j), partition.block(j, l) / area, means.half(l), 0, result.lambda);
      const double least_t = t - t_error;
      if (!(least_t > 0)) {
        refuse_condition(end, result.lambda,
                         fmt::format("t = {:.6g} for clusters {} and {}", t, j + 1, l + 1),
                         t_error);
      }
      result.t(j, l) = result.t(l, j) = t;
      // || ab'/t - (a+da)(b+db)'/(t+dt) || for the two vectors of u between j and l.
      const double a = std::sqrt(norms.u(j, l));
      const double b = std::sqrt(norms.u(l, j));
      const double da = std::sqrt(norms.error(j, l));
      const double db = std::sqrt(norms.error(l, j));
      const double error = (da * b + a * db + da * db + a * b * (t_error / t)) / least_t;
      squared_norm += 2 * (a * b / t) * (a * b / t);
      squared_error += 2 * error * error;
    }
  }
  result.gamma_norm = outward * std::sqrt(squared_norm);
  result.gamma_error = outward * std::sqrt(squared_error);
}

}  // namespace

Partition sum_over_clusters(const IntegerTriangle& similarity,
                            const std::vector<std::uint32_t>& cluster, std::size_t clusters) {
  const std::size_t n = similarity.size();
  const std::size_t k = clusters;
  std::vector<std::int64_t> sums(n * k);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      const std::size_t j = similarity.column[at];
      add_exactly(sums[cluster[j] * n + i], similarity.value[at]);
      add_exactly(sums[cluster[i] * n + j], similarity.value[at]);
    }
  }
  std::vector<Wide> blocks(k * k);
  for (std::size_t l = 0; l < k; ++l) {
    for (std::size_t i = 0; i < n; ++i) blocks[l * k + cluster[i]] += sums[l * n + i];
  }

  Partition partition;
  partition.cluster = cluster;
  partition.size = Eigen::VectorXd::Zero(static_cast<Index>(k));
  for (const std::uint32_t j : cluster) partition.size(j) += 1;
  const auto denominator = static_cast<double>(similarity.denominator);
  partition.to_cluster.resize(static_cast<Index>(n), static_cast<Index>(k));
  for (std::size_t at = 0; at < sums.size(); ++at) {
    partition.to_cluster.data()[at] = static_cast<double>(sums[at]) / denominator;
  }
  partition.block.resize(static_cast<Index>(k), static_cast<Index>(k));
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    partition.block.data()[at] = static_cast<double>(blocks[at]) / denominator;
  }
  long double value = 0;
  for (Index j = 0; j < partition.block.rows(); ++j) {
    const long double part = static_cast<long double>(partition.block(j, j)) /
                             static_cast<long double>(partition.size(j));
    value += part;
    partition.value_scale += static_cast<double>(std::abs(part));
  }
  partition.value = static_cast<double>(value);
  return partition;
}

void check_objective(const Claim& claim, const Partition& partition) {
  // Producers may round each part and each addition; more is another number.
  const double rounding = 4 * (static_cast<double>(claim.clusters) + 2) * unit_roundoff;
  if (!(std::abs(claim.objective - partition.value) <= rounding * partition.value_scale)) {
    refuse("objective", fmt::format("{}", claim.objective),
           fmt::format("{}, the value of the partition", partition.value));
  }
  if (claim.optimal) return;
  // No proof is needed to see that such a bound is false.
  const double paid = claim.program_lambda.value_or(0) * static_cast<double>(claim.clusters);
  const double value = partition.value - paid;
  const double error = rounding * (partition.value_scale + std::abs(paid));
  if (!(claim.objective - paid <= claim.upper_bound) || !(value - error <= claim.upper_bound)) {
    refuse("upper_bound", fmt::format("{}", claim.upper_bound),
           fmt::format("at least {}, which the partition itself has", value));
  }
}

Multipliers check_multipliers(const Claim& claim, const Partition& partition, double lambda,
                              std::string_view end) {
  Multipliers result;
  result.lambda = lambda;
  const Means means(partition);
  const SquaredNorms norms = fill_u(claim, partition, means, end, result);
  fill_t(partition, means, norms, end, result);
  return result;
}

}  // namespace tertium::internal::verifying
