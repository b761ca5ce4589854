#include "tertium/verify.hpp"

#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "tertium/verify/bound.hpp"
#include "tertium/verify/definite.hpp"
#include "tertium/verify/lanczos.hpp"
#include "tertium/verify/match_sums.hpp"
#include "tertium/verify/parse.hpp"
#include "tertium/verify/partition.hpp"

namespace tertium::internal {
namespace {

using namespace verifying;

/// For both ends of the interval together.
constexpr double largest_failure_probability = 1e-12;

/// Of the bound that the file says, against the one that N gives; the two were summed differently.
/// What rounding can do comes on top, since a bound near 0 has no relative size.
constexpr double bound_tolerance = 1e-9;

bool fits_dense(std::size_t items, std::size_t largest) {
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  const auto n = static_cast<double>(items);
  return items <= largest && n * n * sizeof(double) <= memory / 2;
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
        result_(result) {}

  /// Both conditions at one end of the interval. Throws Refusal.
  void at(double lambda, std::string_view end, const Progress& progress) {
    const Multipliers multipliers = check_multipliers(claim_, partition_, lambda, end);
    if (claim_.clusters == claim_.items.size()) return;  // condition 2 is about an empty space
    const auto lanczos = [&] {
      // Another random start at each end.
      const std::uint32_t seed = claim_.similarity_checksum + (end == "hi" ? 1 : 0);
      return bound_largest_eigenvalue(similarity_, partition_, multipliers,
                                      largest_failure_probability / 2, seed, progress);
    };
    if (fits_dense(claim_.items.size(), options_.largest_dense)) {
      if (proves_definite(similarity_, partition_, multipliers, progress)) return;
      refuse_condition(lambda, end, lanczos().at_least);
    }
    const LargestEigenvalue found = lanczos();
    if (!found.at_most || !(*found.at_most < lambda)) {
      refuse_condition(lambda, end, found.at_least);
    }
    result_.level = VerificationLevel::probabilistic;
    result_.failure_probability = largest_failure_probability;
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

void check_bound(const Claim& claim, const std::filesystem::path& folder,
                 const IntegerTriangle& similarity, const Partition& partition,
                 const Progress& progress, Verification& result) {
  Eigen::MatrixXd dual = read_dual(claim, folder);
  progress({100, 1000});
  const DualBound bound = dual_bound(claim, similarity, dual);
  const double allowed = bound_tolerance * std::abs(claim.upper_bound) + bound.error;
  if (!(bound.value <= claim.upper_bound + allowed)) {
    refuse("upper_bound", fmt::format("{}", claim.upper_bound),
           fmt::format("at least {}, which is what N proves", bound.value));
  }
  result.lambda = claim.program_lambda;
  result.upper_bound = claim.upper_bound;
  result.bound = bound.value + bound.error;
  const double value =
      partition.value - claim.program_lambda.value_or(0) * static_cast<double>(claim.clusters);
  if (value != 0) result.relative_gap = (result.bound - value) / std::abs(value);
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
    const IntegerTriangle& matched = in_order ? *in_order : given.triangle;
    const Partition partition = sum_over_clusters(matched, claim.labels, claim.clusters);
    check_objective(claim, partition);
    result.partition_value = partition.value;
    if (claim.optimal) {
      check_optimal(claim, matched, partition, options, progress, result);
    } else {
      check_bound(claim, folder, matched, partition, progress, result);
    }
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
