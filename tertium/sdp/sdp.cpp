#include "tertium/sdp/sdp.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "tertium/certificate/witness.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/memory.hpp"
#include "tertium/sdp/bound.hpp"
#include "tertium/sdp/splitting.hpp"
#include "tertium/sdp/warm_start.hpp"
#include "tertium/spectral/dense_product.hpp"
#include "tertium/spectral/krylov.hpp"

namespace tertium {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// With a larger gap than this, a partition is no help as a start.
constexpr double nearly_optimal = 0.07;
constexpr int repair_projections = 4;
/// X before its repair may leave this share of the tolerance open.
constexpr double repairable_share = 0.7;
constexpr double rank_threshold = 1e-6;
/// S, Q and its image, X, N, the best N, what a bound needs, a full decomposition.
constexpr int matrices_held = 13;
/// Up to this size all eigenvalues cost less than a proof by Cholesky with its preparations.
constexpr Index most_items_by_eigenvalues = 400;
/// A bound is worth a proof if it closes this share of the gap.
constexpr double worthwhile_share = 0.1;
/// The share of the tolerance that a bound may give away to be cheap.
constexpr double slack_share = 0.25;
/// With the goal `spectrum`: a partition so near to the bound counts as the optimum itself.
constexpr double nearly_tight = 1e-3;
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

double price_of(const SdpProgram& program) {
  const auto* lambda = std::get_if<Lambda>(&program);
  return lambda == nullptr ? 0 : lambda->value;
}

double relative_gap(double objective, double bound) {
  const double difference = std::max(0.0, bound - objective);
  return difference == 0 ? 0 : difference / std::abs(objective);
}

double theta_of(const VectorXd& eigenvalues) {
  const double trace = eigenvalues.sum();
  const auto k = std::clamp<Index>(std::lround(trace), 1, eigenvalues.size());
  return eigenvalues.head(k).sum() / trace;
}

void describe_point(SdpResult& result, SdpGoal goal) {
  result.trace = result.point.trace();
  const bool before_repair = goal == SdpGoal::spectrum;
  result.eigenvalues =
      before_repair ? result.point.eigenvalues_before_repair() : result.point.eigenvalues();
  result.rank = static_cast<int>((result.eigenvalues.array() > rank_threshold).count());
  result.theta = theta_of(result.eigenvalues);
}

class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

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

void take_partition(SdpResult& result, const FoundPartition& partition, const SdpProgram& program) {
  result.point = partition_point(partition.labels);
  result.objective = partition.value - price_of(program) * partition.clusters;
}

/// The dense program from where the search ended.
class DenseSolve {
 public:
  DenseSolve(SdpResult& result, const MatrixXd& similarity, const SdpProgram& program,
             const SdpOptions& options, const Clock& clock)
      : result_(result),
        similarity_(similarity),
        program_(program),
        options_(options),
        clock_(clock) {
    if (result_.partition) partition_objective_ = result_.objective;
  }

  void run() {
    Splitting splitting(similarity_, program_, norm(), options_.threads);
    result_.upper_bound = std::numeric_limits<double>::infinity();
    start(splitting);
    int next_check = 2;
    std::optional<SdpStatus> ended;
    if (is_solved()) ended = SdpStatus::solved;
    while (!ended) {
      splitting.iterate();
      ++result_.iterations;
      if (options_.progress && !options_.progress(progress())) {
        ended = SdpStatus::stopped;
      }
      if (clock_.seconds() > options_.most_seconds) ended = SdpStatus::time_limit;
      if (result_.iterations >= options_.most_iterations) ended = SdpStatus::iteration_limit;
      if (ended || result_.iterations >= next_check) {
        next_check = result_.iterations + std::clamp(result_.iterations / 4, 2, 20);
        if (prover_) prover_->expect(splitting.subspace());
        improve_bound(splitting.dual());
        improve_point(splitting);
        if (is_solved()) ended = SdpStatus::solved;
      }
    }
    result_.distance = distance();
    if (is_solved_by_partition()) {
      take_partition(result_, *result_.partition, program_);
      result_.gap = gap_of_partition();
    }
    result_.status = *ended;
  }

 private:
  /// From the partition, if it is nearly optimal, else from the eigenvectors of S.
  void start(Splitting& splitting) {
    if (result_.partition) {
      const WarmStart warm = warm_start(similarity_, result_.partition->labels, program_);
      improve_bound(warm.dual);
      if (result_.gap <= nearly_optimal) return splitting.start_from(warm.x, warm.dual);
    }
    const auto* clusters = std::get_if<Clusters>(&program_);
    const Index expected = clusters != nullptr
                               ? clusters->count
                               : (result_.partition ? result_.partition->clusters : 2);
    splitting.start_spectral(expected - 1);
  }

  [[nodiscard]] double norm() const {
    KrylovOptions krylov;
    krylov.block = 2;
    krylov.most_steps = 20;
    krylov.tolerance = 1e-2;
    const BlockProduct product = [&](const VectorBlock& x, VectorBlock& y) {
      y.resize(x.rows(), x.cols());
      y.noalias() = similarity_ * x;
    };
    const RitzRange range = leading_eigenpairs(product, similarity_.rows(), 1, krylov).range;
    return std::max(std::abs(range.top), std::abs(range.lowest));
  }

  /// What is compared with the tolerance.
  [[nodiscard]] double distance() const {
    if (options_.goal == SdpGoal::gap) return result_.gap;
    return is_solved_by_partition() ? gap_of_partition() : distance_of_x_;
  }

  [[nodiscard]] bool is_solved() const { return distance() <= options_.tolerance || is_dull(); }

  [[nodiscard]] bool is_dull() const {
    return options_.dull && distance_of_x_ <= options_.dull->distance &&
           theta_of(result_.point.eigenvalues_before_repair()) < options_.dull->theta;
  }

  [[nodiscard]] SdpProgress progress() const {
    return {result_.iterations, result_.objective, result_.upper_bound, distance()};
  }

  [[nodiscard]] double gap_of_partition() const {
    return relative_gap(*partition_objective_, result_.upper_bound);
  }

  /// A partition at a larger distance would hide the eigenvalues that X has.
  [[nodiscard]] bool is_solved_by_partition() const {
    return options_.goal == SdpGoal::spectrum && partition_objective_ &&
           gap_of_partition() <= std::min(options_.tolerance, nearly_tight);
  }

  void improve_point(const Splitting& splitting) {
    Splitting::Feasible feasible = splitting.feasible();
    const double trace = feasible.point.trace();
    const double unrepaired = feasible.unrepaired - price_of(program_) * trace;
    if (options_.goal == SdpGoal::spectrum) {
      reached_ = unrepaired;
      distance_of_x_ = std::max(std::abs(result_.upper_bound / unrepaired - 1),
                                splitting.residual() / std::sqrt(trace));
      result_.point.vectors.resize(0, 0);  // the latest X takes the place of any other
      take_point(std::move(feasible));
      return;
    }
    take_point(std::move(feasible));
    const double open = result_.upper_bound - unrepaired;
    // Projections are worth their time if they may be all that is missing.
    if (!is_solved() && result_.iterations >= next_repair_ && unrepaired > result_.objective &&
        open <= repairable_share * options_.tolerance * std::abs(result_.objective)) {
      take_point(splitting.feasible_after(repair_projections));
      next_repair_ = 2 * result_.iterations;
    }
  }

  void take_point(Splitting::Feasible feasible) {
    const double objective = feasible.inner_product - price_of(program_) * feasible.point.trace();
    if (result_.point.vectors.rows() == 0 || objective > result_.objective) {
      result_.objective = objective;
      result_.point = std::move(feasible.point);
    }
    result_.gap = relative_gap(result_.objective, result_.upper_bound);
  }

  void improve_bound(const MatrixXd& dual) {
    const double bound = bound_from(dual);
    if (bound < result_.upper_bound) {
      result_.upper_bound = bound;
      if (options_.keep_dual) result_.dual = dual;
    }
    if (result_.point.vectors.rows() > 0) {
      result_.gap = relative_gap(result_.objective, result_.upper_bound);
    }
  }

  double bound_from(const MatrixXd& dual) {
    const auto* clusters = std::get_if<Clusters>(&program_);
    if (clusters == nullptr || similarity_.rows() <= most_items_by_eigenvalues) {
      return upper_bound(similarity_, dual, program_);
    }
    const double reached = std::min(result_.upper_bound, std::max(result_.objective, reached_));
    const double wanted = options_.tolerance * std::abs(reached);
    const double open = result_.upper_bound - reached;
    const double limit = reached + std::max(wanted, (1 - worthwhile_share) * open);
    if (!prover_) prover_.emplace(similarity_, clusters->count, options_.threads);
    return prover_->bound(dual, limit, slack_share * wanted);
  }

  SdpResult& result_;
  const MatrixXd& similarity_;
  const SdpProgram& program_;
  const SdpOptions& options_;
  const Clock& clock_;
  std::optional<BoundProver> prover_;
  std::optional<double> partition_objective_;
  /// With the goal `spectrum`: the value of X before its repair, and how far from optimal X is.
  double reached_ = -std::numeric_limits<double>::infinity();
  double distance_of_x_ = std::numeric_limits<double>::infinity();
  int next_repair_ = 0;
};

void solve_dense(SdpResult& result, const MatrixXd& similarity, const SdpProgram& program,
                 const SdpOptions& options, const Clock& clock) {
  DenseSolve(result, similarity, program, options, clock).run();
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
