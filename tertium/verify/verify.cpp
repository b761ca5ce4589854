#include "tertium/verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <sys/resource.h>

#include "tertium/core/memory.hpp"
#include "tertium/error.hpp"
#include "tertium/verify/bound.hpp"
#include "tertium/verify/cancelled.hpp"
#include "tertium/verify/definite.hpp"
#include "tertium/verify/dual_file.hpp"
#include "tertium/verify/lanczos.hpp"
#include "tertium/verify/match_sums.hpp"
#include "tertium/verify/parse.hpp"
#include "tertium/verify/partition.hpp"
#include "tertium/verify/tree.hpp"

namespace tertium::internal {
namespace {

using namespace verifying;

/// For both ends of the interval together.
constexpr double largest_failure_probability = 1e-12;
constexpr double most_lanczos_vectors = 512;

/// Bytes that a check may take.
double most_memory(const VerifyOptions& options) {
  if (options.most_memory > 0) return options.most_memory;
  rlimit space{};
  const bool limited = ::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY;
  const double all = physical_memory();
  return (limited ? std::min(all, static_cast<double>(space.rlim_cur)) : all) / 2;
}

/// Bytes that the matrices of a check take at most: n x k and k x k for the sums and u, and what
/// the claim needs beside them.
double memory_of(const Claim& claim, bool dense) {
  const auto n = static_cast<double>(claim.items.size());
  const auto k = static_cast<double>(claim.clusters);
  // Eight vectors for each cluster, five times while they are made orthonormal.
  const double by_lanczos = n * (std::min(most_lanczos_vectors, n - k) + 40 * k);
  const double beside = claim.share          ? (dense ? 2 * n * n : by_lanczos)
                        : claim.version == 2 ? 5 * n * n
                        : !claim.optimal     ? 2 * n * n
                        : k == n             ? 0
                        : dense              ? n * n
                                             : n * std::min(most_lanczos_vectors, n - k);
  return sizeof(double) * (4 * n * k + 6 * k * k + beside);
}

/// With an N by lambda and share. Above, all eigenvalues take longer than the Lanczos method: a
/// minute at this size.
constexpr std::size_t most_items_by_eigenvalues = 3000;

bool fits_dense(const Claim& claim, const VerifyOptions& options) {
  const std::size_t most = claim.share ? std::min(options.largest_dense, most_items_by_eigenvalues)
                                       : options.largest_dense;
  return claim.items.size() <= most && memory_of(claim, true) <= most_memory(options);
}

/// Before any of it is taken: a short file may ask for a lot.
void check_memory_of(const Claim& claim, const VerifyOptions& options) {
  const double bytes = memory_of(claim, fits_dense(claim, options));
  if (bytes <= most_memory(options)) return;
  throw InputError(
      {{},
       fmt::format("a certificate for {} items in {} clusters, which takes {:.1f} GB to check",
                   claim.items.size(), claim.clusters, bytes / 1e9),
       fmt::format("at most {:.1f} GB", most_memory(options) / 1e9),
       "Allow more with --memory GB"});
}

/// The progress of a part of the work: thousandths from `from` to `to`.
Progress part_of(const Progress& progress, std::uint64_t from, std::uint64_t to) {
  if (!progress) return {};
  return [&progress, from, to](const ProgressUpdate& update) {
    return progress({from + (to - from) * update.done / update.total, 1000});
  };
}

class OptimalCheck {
 public:
  OptimalCheck(const Claim& claim, const IntegerTriangle& similarity, const Partition& partition,
               const VerifyOptions& options, Verification& result)
      : claim_(claim),
        similarity_(similarity),
        partition_(partition),
        options_(options),
        seed_(options.seed ? *options.seed : fresh_seed()),
        result_(result) {}

  /// Both conditions at one end of the interval. Throws Refusal.
  void at(double lambda, std::string_view end, const Progress& progress) {
    const Multipliers multipliers = check_multipliers(claim_, partition_, lambda, end);
    if (claim_.clusters == claim_.items.size()) return;  // condition 2 is about an empty space
    const auto lanczos = [&] {
      const std::uint64_t seed = seed_ + (end == "hi" ? 1 : 0);  // another start at each end
      return bound_largest_eigenvalue(similarity_, partition_, multipliers,
                                      largest_failure_probability / 2, seed, progress);
    };
    if (fits_dense(claim_, options_)) {
      if (proves_definite(similarity_, partition_, multipliers, progress)) return;
      refuse_condition(lambda, end, lanczos().at_least);
    }
    const LargestEigenvalue found = lanczos();
    if (!found.at_most || !(*found.at_most < lambda)) {
      refuse_condition(lambda, end, found.at_least);
    }
    result_.level = VerificationLevel::probabilistic;
    result_.failure_probability = largest_failure_probability;
    result_.seed = seed_;
    result_.replayed = options_.seed.has_value();
  }

 private:
  [[noreturn]] static void refuse_condition(double lambda, std::string_view end,
                                            double eigenvalue) {
    refuse(fmt::format("condition 2 at {} = {}", end, lambda),
           fmt::format("an eigenvalue of {} or more", eigenvalue),
           eigenvalue < lambda ? "eigenvalues that are below lambda by more than rounding"
                               : "only eigenvalues below lambda");
  }

  const Claim& claim_;
  const IntegerTriangle& similarity_;
  const Partition& partition_;
  const VerifyOptions& options_;
  const std::uint64_t seed_;
  Verification& result_;
};

void check_optimal(const Claim& claim, const IntegerTriangle& similarity,
                   const Partition& partition, const VerifyOptions& options,
                   const Progress& progress, Verification& result) {
  result.lo = claim.lo;
  result.hi = claim.hi;
  OptimalCheck check(claim, similarity, partition, options, result);
  if (claim.lo) check.at(*claim.lo, "lo", part_of(progress, 0, 500));
  if (claim.hi && claim.hi != claim.lo) {
    check.at(*claim.hi, "hi", part_of(progress, 500, 1000));
  }
}

/// bound + error, not less.
double raised(double bound, double error) {
  return error == 0 ? bound
                    : std::nextafter(bound + error, std::numeric_limits<double>::infinity());
}

/// How far f of a partition can be from the true one, as distances of points were rounded: X of a
/// partition into k clusters has entries >= 0 that sum to n - k off the diagonal, S is within 1/2.
double largest_error_of(const Claim& claim, const GivenSums& given) {
  if (!given.rounded) return 0;
  return static_cast<double>(claim.items.size() - claim.clusters) / 2;
}

/// Values in the units of the coordinates, squared, to the side of claiming less.
void use_units_of_points(const Claim& claim, Verification& result) {
  const double unit = std::pow(10.0, claim.exponent);
  for (double* value : {&result.partition_value, &result.upper_bound}) *value *= unit;
  for (auto* end : {&result.lo, &result.hi}) {
    if (*end) **end *= unit;
  }
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  result.bound *= unit;
  result.bound += roundings * std::abs(result.bound);
}

/// What a bound proves, if the claim is not more.
void take_bound(const Claim& claim, const Partition& partition, double bound,
                Verification& result) {
  if (!std::isfinite(bound)) {
    refuse("the numbers", "sums or squares that are infinite", "numbers that prove a finite bound");
  }
  if (!(bound <= claim.upper_bound)) {
    refuse("upper_bound", fmt::format("{}", claim.upper_bound),
           fmt::format("at least {}, which is what the numbers prove with rounding", bound));
  }
  result.lambda = claim.program_lambda;
  result.upper_bound = claim.upper_bound;
  result.bound = bound;
  const double value =
      partition.value - claim.program_lambda.value_or(0) * static_cast<double>(claim.clusters);
  if (value != 0) result.relative_gap = (bound - value) / std::abs(value);
}

void check_bound(const Claim& claim, const std::filesystem::path& folder,
                 const IntegerTriangle& similarity, const Partition& partition,
                 const Progress& progress, Verification& result) {
  Eigen::MatrixXd dual = read_dual(claim, folder);
  progress({100, 1000});
  take_bound(claim, partition, dual_bound(claim, similarity, dual), result);
}

void check_cancelled(const Claim& claim, const IntegerTriangle& similarity,
                     const Partition& partition, double largest_error, const VerifyOptions& options,
                     const Progress& progress, Verification& result) {
  const CancelledSums sums(similarity, partition, claim.lambda, *claim.share);
  if (fits_dense(claim, options)) {
    Eigen::MatrixXd dual = sums.dense();
    const double bound = dual_bound(claim, similarity, dual);
    return take_bound(claim, partition, raised(bound, largest_error), result);
  }
  const std::uint64_t seed = options.seed ? *options.seed : fresh_seed();
  const double bound = cancelled_bound(sums, partition, claim.upper_bound,
                                       largest_failure_probability, seed, progress);
  take_bound(claim, partition, raised(bound, largest_error), result);
  result.level = VerificationLevel::probabilistic;
  result.failure_probability = largest_failure_probability;
  result.seed = seed;
  result.replayed = options.seed.has_value();
}

void check_tree(const Claim& claim, const std::filesystem::path& folder,
                const IntegerTriangle& similarity, const Partition& partition, double largest_error,
                const VerifyOptions& options, const Progress& progress, Verification& result) {
  const double bound = tree_bound(claim, {folder, most_memory(options) / 2}, similarity, partition,
                                  largest_error, progress);
  take_bound(claim, partition, bound, result);
  result.only_best = claim.only_best;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string_view to_string(VerificationLevel level) {
  return level == VerificationLevel::proved ? "proved" : "probabilistic";
}

Verification verify_certificate(std::string_view text, const std::filesystem::path& folder,
                                const GivenSums& given, const VerifyOptions& options, Run& run) {
  const Progress progress = [&](const ProgressUpdate& update) {
    run.say("verifying", update);
    return true;
  };
  Verification result;
  try {
    const Claim claim = parse_claim(text);
    result.items = claim.items.size();
    result.clusters = claim.clusters;
    const auto in_order = match_sums(claim, given);
    result.kind = given.kind;
    result.repeats = given.repeats;
    result.comparisons = given.comparisons;
    check_memory_of(claim, options);
    const IntegerTriangle& matched = in_order ? *in_order : given.triangle;
    const Partition partition = sum_over_clusters(matched, claim.labels, claim.clusters);
    check_objective(claim, partition);
    result.partition_value = partition.value;
    const double error = largest_error_of(claim, given);
    result.rounded = given.rounded;
    if (claim.optimal) {
      check_optimal(claim, matched, partition, options, progress, result);
      if (given.kind == "points") result.bound = raised(partition.value, error);
    } else if (claim.share) {
      check_cancelled(claim, matched, partition, error, options, progress, result);
    } else if (claim.version == 2) {
      check_tree(claim, folder, matched, partition, error, options, progress, result);
    } else {
      check_bound(claim, folder, matched, partition, progress, result);
    }
    if (given.kind == "points") use_units_of_points(claim, result);
    result.claim = claim.optimal ? "optimal" : "bound";
    result.verified = true;
    return result;
  } catch (const Refusal& refusal) {
    Verification refused;
    refused.reason = refusal.what();
    refused.claim = claim_word(text);
    return refused;
  }
}

}  // namespace tertium
