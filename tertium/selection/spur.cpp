#include "tertium/selection/spur.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "tertium/core/error.hpp"
#include "tertium/core/memory.hpp"
#include "tertium/core/threads.hpp"

namespace tertium {
namespace {

/// Solves that only have to tell a hopeless k from a good one: theta is right to about 0.03 by
/// then.
constexpr double rough_distance = 5e-3;
constexpr std::size_t most_items_solved_fully = 300;  // up to here all solves are quick
/// The trace is rounded, and the range of k has two more at its upper end.
constexpr double trace_tolerance = 1e-2;
/// Numbers of clusters with a theta this near to the best are solved to the tolerance.
constexpr double contender_margin = 0.05;

/// The range of k goes so far beyond what SDP-lambda finds at the smallest lambda.
constexpr int beyond_the_range = 2;

double comparisons_in(const SimilarityMatrix& similarity) {
  return static_cast<double>(similarity.weight) / static_cast<double>(similarity.denominator);
}

double smallest_lambda(const SimilarityMatrix& similarity) {
  const auto n = static_cast<double>(similarity.size());
  return std::sqrt(comparisons_in(similarity) * std::log(n) / n);
}

double largest_lambda(const SimilarityMatrix& similarity) {
  return comparisons_in(similarity) / static_cast<double>(similarity.size());
}

SpurResult with_ends(const SimilarityMatrix& similarity, const SpurOptions& options) {
  SpurResult result;
  if (!options.range) {
    result.smallest = SpurEnd{smallest_lambda(similarity), std::nullopt};
    result.largest = SpurEnd{largest_lambda(similarity), std::nullopt};
  }
  return result;
}

bool solves_fully(const SimilarityMatrix& similarity, const SpurOptions& options) {
  return !options.certificates || similarity.size() <= most_items_solved_fully;
}

bool meets(const Certificate& certificate, double from, double to) {
  return (!certificate.lo || *certificate.lo <= to) && (!certificate.hi || *certificate.hi >= from);
}

/// One solve after another, or several at once, with one voice to the caller.
class Solver {
 public:
  Solver(const SimilarityMatrix& similarity, const SpurOptions& options)
      : similarity_(similarity), options_(options) {}

  /// The results of all programs, in their order.
  std::vector<SdpResult> solve(const std::vector<SdpProgram>& programs, double tolerance,
                               std::optional<Dull> dull = {}) {
    std::vector<SdpResult> results(programs.size());
    const int workers = std::clamp(static_cast<int>(programs.size()), 1, most_at_once());
    std::atomic<std::size_t> next{0};
    run_workers(workers, [&](int) {
      for (std::size_t turn = next++; turn < programs.size(); turn = next++) {
        const std::size_t i = programs.size() - 1 - turn;  // many clusters take longest
        results[i] = solve(programs[i], tolerance, dull, std::max(1, options_.threads / workers));
      }
    });
    return results;
  }

  void say(const std::string& what, const ProgressUpdate& update = {}) {
    if (!options_.progress) return;
    const std::lock_guard lock(mutex_);
    if (!options_.progress(what, update)) throw Cancelled();
  }

 private:
  [[nodiscard]] int most_at_once() const {
    const double each = sdp_memory(static_cast<Eigen::Index>(similarity_.size()));
    const double room = static_cast<double>(physical_memory()) / 2;
    return std::max(1, std::min(options_.threads, static_cast<int>(room / each)));
  }

  SdpResult solve(const SdpProgram& program, double tolerance, std::optional<Dull> dull,
                  int threads) {
    SdpOptions sdp;
    sdp.dull = dull;
    sdp.tolerance = tolerance;
    sdp.search_partition = options_.certificates;
    sdp.goal = solves_fully(similarity_, options_) ? SdpGoal::gap : SdpGoal::spectrum;
    sdp.seed = options_.seed;
    sdp.threads = threads;
    const std::string name = in_words(program);
    sdp.progress = [&](const SdpProgress& state) {
      say(fmt::format("{}, {}", name, tertium::in_words(state)), progress_to(tolerance, state));
      return true;
    };
    return solve_sdp(similarity_, program, sdp);
  }

  static std::string in_words(const SdpProgram& program) {
    if (const auto* clusters = std::get_if<Clusters>(&program)) {
      return fmt::format("{} clusters", clusters->count);
    }
    return fmt::format("lambda {:.3g}", std::get<Lambda>(program).value);
  }

  const SimilarityMatrix& similarity_;
  const SpurOptions& options_;
  std::mutex mutex_;
};

SpurStep step_of(const SdpResult& result, int clusters, double tolerance, double price = 0) {
  SpurStep step;
  step.clusters = clusters;
  step.theta = result.theta;
  step.rough = result.distance > tolerance;
  step.objective = result.objective + price * result.trace;
  if (price == 0 && result.partition) {
    step.objective = std::max(step.objective, result.partition->value);
  }
  if (price == 0) step.upper_bound = result.upper_bound;
  step.certified = result.status == SdpStatus::certified;
  return step;
}

SdpResult result_of(const FoundPartition& partition, const Certificate& certificate) {
  SdpResult result;
  result.partition = partition;
  result.certificate = certificate;
  result.point = partition_point(partition.labels);
  result.objective = partition.value;
  result.upper_bound = partition.value;
  result.gap = 0;
  result.distance = 0;
  result.trace = partition.clusters;
  result.rank = partition.clusters;
  result.eigenvalues = result.point.eigenvalues();
  result.theta = 1;
  result.status = SdpStatus::certified;
  return result;
}

/// The largest k whose certificate settles the choice, if there is one.
bool settled_by_certificate(const SimilarityMatrix& similarity, const SpurOptions& options,
                            Solver& solver, SpurResult& result) {
  const SymmetricRows rows(similarity, options.threads);
  SearchOptions search;
  search.seed = options.seed;
  search.keep_going = [&] {
    solver.say("searching partitions and their certificates");
    return true;
  };
  CertifyOptions certifying;
  certifying.seed = options.seed;
  certifying.keep_going = search.keep_going;
  const int items = static_cast<int>(similarity.size());
  const ClusterRange candidates = options.range.value_or(ClusterRange{2, items});
  double last_value = partition_value(rows, Labels(rows.size(), 0));
  int too_many = 0;  // numbers of clusters in a row that SDP-lambda would not pay for
  for (int k = candidates.fewest; k <= candidates.most; ++k) {
    const FoundPartition partition = search_partition(rows, k, search);
    // The optimum of SDP-lambda for a lambda in the range gains at least lambda on fewer clusters:
    // without that gain, no certificate could make this k the choice.
    const bool paid = options.range || partition.value - last_value >= result.smallest->lambda;
    too_many = paid ? 0 : too_many + 1;
    last_value = partition.value;
    SpurStep step;
    step.clusters = k;
    step.objective = partition.value;
    if (!paid) {
      result.steps.push_back(step);
      if (too_many == beyond_the_range) break;
      continue;
    }
    const Certificate certificate = certify(rows, partition.labels, certifying);
    step.certified = certificate.verdict == Verdict::optimal;
    if (step.certified) {
      step.theta = 1;
      step.upper_bound = partition.value;
    }
    result.steps.push_back(step);
    const bool in_range = options.range
                              ? k < items
                              : meets(certificate, result.smallest->lambda, result.largest->lambda);
    if (!step.certified || !in_range) continue;
    result.clusters = k;
    result.best = result_of(partition, certificate);
  }
  if (!result.best) {
    result.steps.clear();
    return false;
  }
  result.range = {result.steps.front().clusters, result.steps.back().clusters};
  return true;
}

int rounded(double trace) { return static_cast<int>(std::lround(trace)); }

ClusterRange range_from_ends(const SimilarityMatrix& similarity, Solver& solver,
                             const SpurOptions& options, SpurResult& result) {
  const double tolerance =
      options.certificates ? std::max(options.tolerance, trace_tolerance) : options.tolerance;
  // One after the other, with all threads: the largest takes a moment and the smallest long.
  for (SpurEnd* end : {&*result.largest, &*result.smallest}) {
    end->trace = solver.solve({Lambda{end->lambda}}, tolerance).front().trace;
  }
  const int items = static_cast<int>(similarity.size());
  const int fewest = std::min(items, std::max(2, rounded(*result.largest->trace)));
  const int most = rounded(*result.smallest->trace) + beyond_the_range;
  return {fewest, std::clamp(most, fewest, items)};
}

/// The step with the largest theta. Of several, up to a tie, the largest k that SDP-lambda still
/// pays for; beyond, every item its own cluster has theta = 1 as well, and the smallest k wins.
std::size_t best_step(const std::vector<SpurStep>& steps, int most_paid) {
  double largest = 0;
  for (const SpurStep& step : steps) largest = std::max(largest, step.theta.value_or(0));
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].theta.value_or(0) < largest - theta_tie) continue;
    if (!best || steps[i].clusters <= most_paid) best = i;
  }
  return best.value();
}

/// The same over lambda: of several, the k that most lambdas give, then the smallest.
std::optional<std::size_t> best_lambda(const std::vector<SpurStep>& steps) {
  double largest = 0;
  for (const SpurStep& step : steps) {
    if (step.clusters > 1) largest = std::max(largest, *step.theta);
  }
  std::optional<std::size_t> best;
  std::ptrdiff_t most = 0;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const int k = steps[t].clusters;
    if (k < 2 || *steps[t].theta < largest - theta_tie) continue;
    const auto often = std::count_if(steps.begin(), steps.end(),
                                     [&](const SpurStep& other) { return other.clusters == k; });
    const bool further =
        best && k == steps[*best].clusters && *steps[t].theta > *steps[*best].theta;
    if (!best || often > most || (often == most && k < steps[*best].clusters) || further) {
      best = t;
      most = often;
    }
  }
  return best;
}

/// What the best partitions come to, for all k but the one that was solved: with theta = 1 and
/// every tie won, no other k can be chosen.
void settle(const SimilarityMatrix& similarity, const SpurOptions& options, Solver& solver,
            SdpResult solved, SpurResult& result) {
  const SymmetricRows rows(similarity, options.threads);
  SearchOptions search;
  search.seed = options.seed;
  for (int k = result.range.fewest; k <= result.range.most; ++k) {
    if (k == result.clusters) {
      result.steps.push_back(step_of(solved, k, options.tolerance));
      continue;
    }
    solver.say(fmt::format("{} clusters", k));
    SpurStep step;
    step.clusters = k;
    step.objective = search_partition(rows, k, search).value;
    result.steps.push_back(step);
  }
  result.best = std::move(solved);
}

/// All k of the range. The first, the largest that SDP-lambda pays for, tells the others when they
/// are too far behind to be solved further.
void solve_range(const SimilarityMatrix& similarity, const SpurOptions& options, Solver& solver,
                 SpurResult& result) {
  const int most_paid =
      result.smallest ? rounded(*result.smallest->trace) : static_cast<int>(similarity.size()) - 1;
  const int first = std::clamp(most_paid, result.range.fewest, result.range.most);
  SdpResult first_solved = std::move(solver.solve({Clusters{first}}, options.tolerance).front());
  if (options.choice_only && first == most_paid && first_solved.theta >= 1 - theta_tie) {
    result.clusters = first;
    return settle(similarity, options, solver, std::move(first_solved), result);
  }
  std::optional<Dull> dull;
  if (!solves_fully(similarity, options)) {
    dull = Dull{rough_distance, first_solved.theta - contender_margin};
  }
  std::vector<SdpProgram> others;
  for (int k = result.range.fewest; k <= result.range.most; ++k) {
    if (k != first) others.emplace_back(Clusters{k});
  }
  std::vector<SdpResult> solved = solver.solve(others, options.tolerance, dull);
  solved.insert(solved.begin() + (first - result.range.fewest), std::move(first_solved));
  for (std::size_t i = 0; i < solved.size(); ++i) {
    const int k = result.range.fewest + static_cast<int>(i);
    result.steps.push_back(step_of(solved[i], k, options.tolerance));
  }
  const std::size_t best = best_step(result.steps, most_paid);
  result.clusters = result.steps[best].clusters;
  result.best = std::move(solved[best]);
}

}  // namespace

SpurResult choose_by_spur(const SimilarityMatrix& similarity, const SpurOptions& options) {
  SpurResult result = with_ends(similarity, options);
  Solver solver(similarity, options);
  if (options.certificates && settled_by_certificate(similarity, options, solver, result)) {
    return result;
  }
  result.range =
      options.range ? *options.range : range_from_ends(similarity, solver, options, result);
  solve_range(similarity, options, solver, result);
  return result;
}

std::optional<SpurResult> choose_by_certificate(const SimilarityMatrix& similarity,
                                                const SpurOptions& options) {
  SpurResult result = with_ends(similarity, options);
  Solver solver(similarity, options);
  if (!settled_by_certificate(similarity, options, solver, result)) return std::nullopt;
  return result;
}

SpurResult choose_by_lambda_grid(const SimilarityMatrix& similarity, const SpurOptions& options) {
  SpurResult result;
  Solver solver(similarity, options);
  const double most = largest_lambda(similarity);
  std::vector<SdpProgram> programs;
  for (int t = 1; t <= options.grid; ++t) {
    programs.emplace_back(
        Lambda{std::expm1(static_cast<double>(t) / options.grid * std::log1p(most))});
  }
  std::vector<SdpResult> solved = solver.solve(programs, options.tolerance);
  result.range = {static_cast<int>(similarity.size()), 1};
  for (std::size_t t = 0; t < solved.size(); ++t) {
    const double lambda = std::get<Lambda>(programs[t]).value;
    const int clusters = std::max(1, rounded(solved[t].trace));
    SpurStep step = step_of(solved[t], clusters, options.tolerance, lambda);
    step.lambda = lambda;
    result.range.fewest = std::min(result.range.fewest, clusters);
    result.range.most = std::max(result.range.most, clusters);
    result.steps.push_back(step);
  }
  const std::optional<std::size_t> best = best_lambda(result.steps);
  result.clusters = best ? result.steps[*best].clusters : 1;
  if (best) result.best = std::move(solved[*best]);
  return result;
}

}  // namespace tertium
