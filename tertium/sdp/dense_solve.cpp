#include "tertium/sdp/dense_solve.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tertium/core/random.hpp"
#include "tertium/sdp/bound.hpp"
#include "tertium/sdp/feasible.hpp"
#include "tertium/sdp/program.hpp"
#include "tertium/sdp/splitting.hpp"
#include "tertium/sdp/warm_start.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/krylov.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Measured on 18 programs: small ones of 26 to 300 items and large ones of 500 to 700.

/// Eigenvalues of X below are rounding. Only the rank that is shown depends on it.
constexpr double rank_threshold = 1e-6;
/// With a larger gap than this, a partition is no help as a start. Large programs take
/// 7 % fewer iterations at half and 7 % more at double, small ones 5 % fewer at double.
constexpr double nearly_optimal = 0.07;
/// Small programs take 1.2 times as many iterations with half, and with double 0.85 times, in the
/// same time.
constexpr int repair_projections = 4;
/// A bound is asked for after a quarter more iterations, within these limits. Half and double of
/// the three move the number of bounds by a quarter to 40 %, and the time by less than a tenth.
constexpr int soonest_check = 2;
constexpr int latest_check = 20;
constexpr int checks_share = 4;
/// X before its repair may leave this share of the tolerance open: half takes 7 % fewer iterations
/// and more projections, double 4 % more.
constexpr double repairable_share = 0.7;
/// Up to this size all eigenvalues cost less than a proof by Cholesky with its preparations. Half
/// takes 6 % longer in small programs; at double nothing changes.
constexpr Index most_items_by_eigenvalues = 400;
/// A bound is worth a proof if it closes this share of the gap: half and double, same time.
constexpr double worthwhile_share = 0.1;
/// The share of the tolerance that a bound may give away to be cheap: half and double, same time.
constexpr double slack_share = 0.25;
/// How near the iteration must be to its fixed point to call X dull, and how much theta can still
/// rise from there: seen on planted problems of 300 to 2000 items and 2 to 9 clusters, theta rises
/// by less than 0.03 after a residual of 2e-2, and by less than 0.01 after 5e-3. Half the rough
/// residual takes 1.16 times as many iterations in SPUR with 500 to 700 items, double 0.9 times;
/// the theta error and the fair residual, half and double, within 5 %. The choice stays the same.
constexpr double rough_residual = 2e-2;
constexpr double rough_theta_error = 0.07;
constexpr double fair_residual = 5e-3;
/// With the goal `spectrum`: a partition so near to the bound counts as the optimum itself.
/// As near as solves come; half and double made no difference.
constexpr double nearly_tight = 1e-3;
/// The norm only scales: half and double of these take as many iterations.
constexpr int norm_block = 2;
constexpr int norm_steps = 20;
constexpr double norm_accuracy = 1e-2;

double relative_gap(double objective, double bound) {
  const double difference = std::max(0.0, bound - objective);
  return difference == 0 ? 0 : difference / std::abs(objective);
}

class DenseSolve {
 public:
  DenseSolve(SdpResult& result, const MatrixXd& similarity, const SdpProgram& program,
             const DenseOptions& options, const Clock& clock, Run& run)
      : result_(result),
        similarity_(similarity),
        program_(program),
        options_(options),
        clock_(clock),
        run_(run) {
    if (result_.partition) partition_objective_ = result_.objective;
  }

  void run() {
    Splitting splitting(similarity_, program_, norm(), run_);
    result_.upper_bound = std::numeric_limits<double>::infinity();
    start(splitting);
    int next_check = soonest_check;
    std::optional<SdpStatus> ended;
    if (is_solved()) ended = SdpStatus::solved;
    while (!ended) {
      splitting.iterate();
      ++result_.iterations;
      residual_ = splitting.residual();
      say();
      if (clock_.seconds() > options_.most_seconds) ended = SdpStatus::time_limit;
      if (result_.iterations >= options_.most_iterations) ended = SdpStatus::iteration_limit;
      if (ended || (result_.iterations >= next_check && may_be_solved(splitting))) {
        next_check = result_.iterations +
                     std::clamp(result_.iterations / checks_share, soonest_check, latest_check);
        if (options_.goal != SdpGoal::trace) {
          if (prover_) prover_->expect(splitting.subspace());
          improve_bound(splitting.dual());
        }
        improve_point(splitting);
        if (is_solved()) ended = SdpStatus::solved;
      }
    }
    result_.distance = distance();
    result_.dull = *ended == SdpStatus::solved && is_dull();
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
      const WarmStart warm = warm_start(similarity_, result_.partition->labels, program_, run_);
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
    krylov.block = norm_block;
    krylov.most_steps = norm_steps;
    krylov.tolerance = norm_accuracy;
    krylov.random = run_.stream("norm");
    const RitzRange range = leading_eigenpairs(DenseMap(similarity_), 1, krylov, run_).range;
    return std::max(std::abs(range.top), std::abs(range.lowest));
  }

  /// What is compared with the tolerance.
  [[nodiscard]] double distance() const {
    if (options_.goal == SdpGoal::gap) return result_.gap;
    if (options_.goal == SdpGoal::trace) return residual_;
    return is_solved_by_partition() ? gap_of_partition() : distance_of_x_;
  }

  [[nodiscard]] bool is_solved() const { return distance() <= options_.tolerance || is_dull(); }

  [[nodiscard]] bool is_dull() const {
    return options_.dull && result_.point.vectors.rows() > 0 &&
           looks_dull(theta_of(result_.point.eigenvalues_before_repair()));
  }

  [[nodiscard]] bool looks_dull(double theta) const {
    return (residual_ <= rough_residual && theta < options_.dull->theta - rough_theta_error) ||
           (residual_ <= fair_residual && theta < options_.dull->theta);
  }

  /// With the goal `spectrum`, a bound costs as much as many iterations and is only needed where X
  /// has come near enough by its residual, or where it may prove the partition.
  [[nodiscard]] bool may_be_solved(const Splitting& splitting) const {
    if (options_.goal == SdpGoal::gap) return true;
    if (options_.goal == SdpGoal::spectrum && partition_objective_ &&
        gap_of_partition() <= nearly_optimal) {
      return true;
    }
    return residual_ <= options_.tolerance ||
           (options_.dull && looks_dull(theta_of(splitting.eigenvalues())));
  }

  /// Tells where the solve is: on the way from a distance of 1 to the tolerance, on a logarithmic
  /// scale. Before the distance was measured, what the residual says about it.
  void say() const {
    const double reached = std::isfinite(distance()) ? distance() : residual_;
    constexpr std::uint64_t steps = 1000;
    ProgressUpdate update;
    if (options_.tolerance < 1) {
      const double share = std::log(reached) / std::log(options_.tolerance);
      update = {static_cast<std::uint64_t>(steps * std::clamp(share, 0.0, 1.0)), steps};
    }
    run_.say(fmt::format("{}, {} iterations, gap {:.1e}", in_words(program_), result_.iterations,
                         reached),
             update);
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
    if (options_.goal != SdpGoal::gap) {
      reached_ = unrepaired;
      distance_of_x_ = std::max(std::abs(result_.upper_bound / unrepaired - 1), residual_);
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
    if (!prover_) prover_.emplace(similarity_, clusters->count, run_);
    return prover_->bound(dual, limit, slack_share * wanted);
  }

  SdpResult& result_;
  const MatrixXd& similarity_;
  const SdpProgram& program_;
  const DenseOptions& options_;
  const Clock& clock_;
  Run& run_;
  std::optional<BoundProver> prover_;
  std::optional<double> partition_objective_;
  /// With the goal `spectrum`: the value of X before its repair, and how far from optimal X is.
  double reached_ = -std::numeric_limits<double>::infinity();
  double distance_of_x_ = std::numeric_limits<double>::infinity();
  double residual_ = std::numeric_limits<double>::infinity();  // of the last iteration
  int next_repair_ = 0;
};

}  // namespace

void solve_dense(SdpResult& result, const MatrixXd& similarity, const SdpProgram& program,
                 const DenseOptions& options, const Clock& clock, Run& run) {
  DenseSolve(result, similarity, program, options, clock, run).run();
}

void take_partition(SdpResult& result, const FoundPartition& partition, const SdpProgram& program) {
  result.point = partition_point(partition.labels);
  result.objective = partition.value - price_of(program) * partition.clusters;
}

void describe_point(SdpResult& result, SdpGoal goal) {
  result.trace = result.point.trace();
  const bool before_repair = goal != SdpGoal::gap;
  result.eigenvalues =
      before_repair ? result.point.eigenvalues_before_repair() : result.point.eigenvalues();
  result.rank = static_cast<int>((result.eigenvalues.array() > rank_threshold).count());
  result.theta = theta_of(result.eigenvalues);
}

double theta_of(const VectorXd& eigenvalues) {
  const double trace = eigenvalues.sum();
  const auto k = std::clamp<Index>(std::lround(trace), 1, eigenvalues.size());
  return eigenvalues.head(k).sum() / trace;
}

}  // namespace tertium::internal
