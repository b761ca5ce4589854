#include "tertium/sdp/sdp.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tertium/certificate/witness.hpp"
#include "tertium/core/clock.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/memory.hpp"
#include "tertium/sdp/dense_solve.hpp"
#include "tertium/sdp/extrapolation.hpp"
#include "tertium/spectral/dense_product.hpp"

namespace tertium {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rank_threshold = 1e-6;
/// S, Q and its image, X, N, the best N, what a bound needs, a full decomposition.
constexpr int matrices_held = 13;
/// A feasible point must beat the partition by this share to count as a proof that it is better.
constexpr double clearly_better = 1e-9;

[[noreturn]] void refuse(std::string found, std::string expected) {
  throw InputError({{}, std::move(found), std::move(expected), ""});
}

void check_program(Index size, const SdpProgram& program, const SdpOptions& options) {
  if (size < 1) refuse("no items", "at least one");
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    if (clusters->count < 1 || clusters->count > size) {
      refuse(fmt::format("{} clusters", clusters->count), fmt::format("1 to {} clusters", size));
    }
  } else if (const double lambda = std::get<Lambda>(program).value;
             !(lambda >= 0) || !std::isfinite(lambda)) {
    refuse(fmt::format("lambda = {}", lambda), "a finite lambda of at least 0");
  }
  if (!(options.tolerance > 0)) refuse("a tolerance that is not positive", "a tolerance above 0");
}

void check_matrix(const MatrixXd& similarity) {
  if (similarity.rows() < 1 || similarity.cols() != similarity.rows()) {
    refuse(fmt::format("a matrix of {} x {}", similarity.rows(), similarity.cols()),
           "a square matrix");
  }
  if (!similarity.allFinite()) refuse("a value that is not finite", "finite similarities");
  if (similarity != similarity.transpose())
    refuse("a matrix that is not symmetric", "a symmetric one");
}

void describe_point(SdpResult& result, SdpGoal goal) {
  result.trace = result.point.trace();
  const bool before_repair = goal == SdpGoal::spectrum;
  result.eigenvalues =
      before_repair ? result.point.eigenvalues_before_repair() : result.point.eigenvalues();
  result.rank = static_cast<int>((result.eigenvalues.array() > rank_threshold).count());
  result.theta = theta_of(result.eigenvalues);
}

SdpProgress progress_of(const SdpResult& result) {
  return {result.iterations, result.objective, result.upper_bound, result.gap};
}

std::function<bool()> keep_going(const SdpResult& result, const SdpOptions& options,
                                 const Clock& clock) {
  return [&] {
    return (!options.progress || options.progress(progress_of(result))) &&
           clock.seconds() <= options.most_seconds;
  };
}

FoundPartition search(const SymmetricRows& rows, const SdpProgram& program,
                      const SdpOptions& options, const std::function<bool()>& going) {
  SearchOptions search_options;
  search_options.seed = options.seed;
  search_options.keep_going = going;
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    return search_partition(rows, clusters->count, search_options);
  }
  return search_priced_partition(rows, price_of(program), search_options);
}

/// Programs with a single feasible point, or where every partition into as many clusters is as
/// good.
bool is_trivial(Index size, const SdpProgram& program, bool zero) {
  const auto* clusters = std::get_if<Clusters>(&program);
  if (zero || size == 1) return true;
  return clusters != nullptr && (clusters->count == 1 || clusters->count == size);
}

/// Nothing to solve: the point is the optimum, and N = 0 proves it or the constraints do.
void finish_trivial(SdpResult& result) {
  result.status = SdpStatus::solved;
  result.upper_bound = result.objective;
  result.gap = 0;
  result.distance = 0;
}

/// Whether the certificate of the partition settles the program.
bool is_settled(const SdpResult& result, const SdpProgram& program) {
  const Certificate& certificate = *result.certificate;
  if (certificate.verdict != Verdict::optimal) return false;
  const auto* lambda = std::get_if<Lambda>(&program);
  return lambda == nullptr || ((!certificate.lo || lambda->value >= *certificate.lo) &&
                               (!certificate.hi || lambda->value <= *certificate.hi));
}

/// Integers that are near enough to S for a search.
SimilarityMatrix quantised(const MatrixXd& similarity) {
  constexpr double levels = 1 << 30;
  SimilarityMatrix result;
  const double largest = similarity.cwiseAbs().maxCoeff();
  result.items.resize(static_cast<std::size_t>(similarity.rows()));
  result.row_start.assign(1, 0);
  for (Index i = 0; i < similarity.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const auto value =
          largest == 0
              ? 0
              : static_cast<std::int64_t>(std::llround(similarity(i, j) / largest * levels));
      if (value == 0) continue;
      result.column.push_back(static_cast<std::uint32_t>(j));
      result.value.push_back(value);
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

/// The value of a partition under real numbers.
double dense_value(const MatrixXd& similarity, const Labels& labels) {
  const int clusters = count_clusters(labels);
  MatrixXd indicator = MatrixXd::Zero(similarity.rows(), clusters);
  for (std::size_t i = 0; i < labels.size(); ++i) indicator(static_cast<Index>(i), labels[i]) = 1;
  const MatrixXd sums = indicator.transpose() * (similarity * indicator);
  return (sums.diagonal().array() / indicator.colwise().sum().transpose().array()).sum();
}

}  // namespace

std::string in_words(const SdpProgress& progress) {
  if (progress.iterations == 0) return "searching a partition and its certificate";
  return fmt::format("{} iterations, gap {:.1e}", progress.iterations, progress.gap);
}

ProgressUpdate progress_to(double tolerance, const SdpProgress& progress) {
  if (progress.iterations == 0) return {};
  constexpr std::uint64_t steps = 1000;
  const double share = std::log(progress.gap) / std::log(tolerance);
  if (!(tolerance < 1)) return {};
  return {static_cast<std::uint64_t>(steps * std::clamp(share, 0.0, 1.0)), steps};
}

std::string_view to_string(SdpStatus status) {
  switch (status) {
    case SdpStatus::certified:
      return "certified";
    case SdpStatus::solved:
      return "solved";
    case SdpStatus::iteration_limit:
      return "iteration limit";
    case SdpStatus::time_limit:
      return "time limit";
    case SdpStatus::stopped:
      return "stopped";
  }
  return "";
}

double sdp_memory(Index items) {
  const auto size = static_cast<double>(items);
  const double matrices = matrices_held + Extrapolation::matrices_held(items);
  return matrices * sizeof(double) * size * size;
}

MatrixXd dual_matrix(const SimilarityMatrix& similarity, const SdpResult& result,
                     const SdpProgram& program) {
  if (result.dual.size() > 0) return result.dual;
  const auto size = static_cast<Index>(similarity.size());
  const bool certified = result.status == SdpStatus::certified;
  if (!certified || result.partition->clusters == 1) return MatrixXd::Zero(size, size);
  const SymmetricRows rows(similarity);
  const Certificate& certificate = *result.certificate;
  double lambda = price_of(program);
  if (std::holds_alternative<Clusters>(program)) {
    lambda = certificate.lo ? (*certificate.lo + *certificate.hi) / 2 : *certificate.hi;
  }
  return Witness(rows, result.partition->labels).matrix(lambda);
}

SdpResult solve_sdp(const SimilarityMatrix& similarity, const SdpProgram& program,
                    const SdpOptions& options) {
  const Clock clock;
  use_one_blas_thread();
  const auto size = static_cast<Index>(similarity.size());
  check_program(size, program, options);
  SdpResult result;
  const bool trivial = is_trivial(size, program, similarity.nonzeros() == 0);
  if (options.search_partition || trivial) {
    const auto going = trivial ? nullptr : keep_going(result, options, clock);
    const SymmetricRows rows(similarity, options.threads);
    try {
      result.partition = search(rows, program, options, going);
      take_partition(result, *result.partition, program);
      CertifyOptions certify_options;
      certify_options.seed = options.seed;
      certify_options.keep_going = going;
      result.certificate = certify(rows, result.partition->labels, certify_options);
    } catch (const Cancelled&) {
      // The dense solve asks again, and ends with what there is.
    }
    if (result.certificate && is_settled(result, program)) {
      result.status = SdpStatus::certified;
      result.upper_bound = result.objective;
      result.gap = 0;
      result.distance = 0;
    }
  }
  if (result.status != SdpStatus::certified) {
    if (trivial) {
      finish_trivial(result);
    } else {
      check_memory(sdp_memory(size),
                   fmt::format("the semidefinite program of {} items", size).c_str(), "");
      const MatrixXd dense = to_dense(similarity);
      solve_dense(result, dense, program, options, clock);
    }
  }
  if (result.certificate && std::holds_alternative<Clusters>(program) &&
      result.objective > result.partition->value + clearly_better * std::abs(result.objective)) {
    result.certificate->verdict = Verdict::not_optimal;
    result.certificate->level = Evidence::proved;
  }
  describe_point(result, options.goal);
  result.seconds = clock.seconds();
  return result;
}

SdpResult solve_sdp(const MatrixXd& similarity, const SdpProgram& program,
                    const SdpOptions& options) {
  const Clock clock;
  use_one_blas_thread();
  check_matrix(similarity);
  check_program(similarity.rows(), program, options);
  check_memory(sdp_memory(similarity.rows()),
               fmt::format("the semidefinite program of {} items", similarity.rows()).c_str(), "");
  SdpResult result;
  const bool trivial = is_trivial(similarity.rows(), program, similarity.isZero(0));
  if (options.search_partition || trivial) {
    const SimilarityMatrix integers = quantised(similarity);
    try {
      const auto going = trivial ? nullptr : keep_going(result, options, clock);
      result.partition = search(SymmetricRows(integers, options.threads), program, options, going);
      result.partition->value = dense_value(similarity, result.partition->labels);
      take_partition(result, *result.partition, program);
    } catch (const Cancelled&) {
      // The dense solve asks again, and ends with what there is.
    }
  }
  if (trivial) {
    finish_trivial(result);
  } else {
    solve_dense(result, similarity, program, options, clock);
  }
  describe_point(result, options.goal);
  result.seconds = clock.seconds();
  return result;
}

}  // namespace tertium
