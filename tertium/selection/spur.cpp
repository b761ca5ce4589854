#include "tertium/selection/spur.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

#include "tertium/core/memory.hpp"
#include "tertium/problem/method.hpp"

namespace tertium::internal {
namespace {

/// The trace is rounded, and the range of k has two more at its upper end. Half takes 3 % more
/// iterations; double is off by more than 1 with 500 to 700 items, and the range that follows takes
/// twice as many.
constexpr double trace_tolerance = 1e-2;
/// Numbers of clusters with a theta this near to the best are solved to the tolerance. Half and
/// double choose the same and take as long, within 3 %.
constexpr double contender_margin = 0.05;

/// The range of k goes so far beyond what SDP-lambda finds at the smallest lambda, as in the paper.
/// One takes 0.9 of the time, four 1.3 times; the choice was the same.
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

bool meets(const Certificate& certificate, double from, double to) {
  return (!certificate.lo || *certificate.lo <= to) && (!certificate.hi || *certificate.hi >= from);
}

/// Calls `work(i)` for i = count - 1 .. 0, as many at once as there are threads and memory for:
/// those at the end, with many clusters, take longest.
void solve_at_once(Problem& problem, std::size_t count,
                   const std::function<void(std::size_t)>& work) {
  Run& run = problem.run();
  const double room = physical_memory() / 2;
  const double fitting = std::max(1.0, room / sdp_memory(problem.items()));
  const auto at_once = static_cast<int>(
      std::min({static_cast<double>(run.threads()), fitting, static_cast<double>(count)}));
  std::atomic<std::size_t> next{0};
  run.workers(at_once, [&](int) {
    for (std::size_t turn = next++; turn < count; turn = next++) work(count - 1 - turn);
  });
}

/// What a solved program says about `clusters` clusters.
SpurStep step_of(const SdpResult& result, int clusters, double price = 0) {
  SpurStep step;
  step.clusters = clusters;
  step.theta = result.theta;
  step.rough = result.dull;
  step.objective = result.objective + price * result.trace;
  if (price == 0 && result.partition) {
    step.objective = std::max(step.objective, result.partition->value);
  }
  if (price == 0) step.upper_bound = result.upper_bound;
  step.certified = result.status == SdpStatus::certified;
  return step;
}

/// A partition that was not solved for: only its value is known.
SpurStep unsolved_step(const FoundPartition& partition) {
  SpurStep step;
  step.clusters = partition.clusters;
  step.objective = partition.value;
  return step;
}

/// The largest k whose certificate settles the choice, if there is one.
bool settled_by_certificate(Problem& problem, const SpurOptions& options, SpurResult& result) {
  problem.run().say("searching partitions and their certificates");
  const ClusterRange candidates = options.range.value_or(ClusterRange{2, problem.items()});
  double last_value = problem.partition(1).value;
  int too_many = 0;  // numbers of clusters in a row that SDP-lambda would not pay for
  for (int k = candidates.fewest; k <= candidates.most; ++k) {
    const FoundPartition& partition = problem.partition(k);
    // The optimum of SDP-lambda for a lambda in the range gains at least lambda on fewer clusters:
    // without that gain, no certificate could make this k the choice.
    const bool paid = options.range || partition.value - last_value >= result.smallest->lambda;
    too_many = paid ? 0 : too_many + 1;
    last_value = partition.value;
    SpurStep step = unsolved_step(partition);
    if (!paid) {
      result.steps.push_back(step);
      if (too_many == beyond_the_range) break;
      continue;
    }
    const Certificate& certificate = problem.certificate(k);
    step.certified = certificate.verdict == Verdict::optimal;
    if (step.certified) {
      step.theta = 1;
      step.upper_bound = partition.value;
    }
    result.steps.push_back(step);
    const bool in_range = options.range
                              ? k < problem.items()
                              : meets(certificate, result.smallest->lambda, result.largest->lambda);
    if (step.certified && in_range) result.clusters = k;
  }
  if (result.clusters == 0) {
    result.steps.clear();
    return false;
  }
  result.range = {result.steps.front().clusters, result.steps.back().clusters};
  return true;
}

int rounded(double trace) { return static_cast<int>(std::lround(trace)); }

ClusterRange range_from_ends(Problem& problem, SpurResult& result) {
  DenseOptions solve_to = solve_options(problem);
  if (problem.method().certificates) {
    solve_to.tolerance = std::max(solve_to.tolerance, trace_tolerance);
    if (solve_to.goal == SdpGoal::spectrum) solve_to.goal = SdpGoal::trace;
  }
  // One after the other, with all threads: the largest takes a moment and the smallest long.
  for (SpurEnd* end : {&*result.largest, &*result.smallest}) {
    end->trace = solve(problem, Lambda{end->lambda}, solve_to).trace;
  }
  const int fewest = std::min(problem.items(), std::max(2, rounded(*result.largest->trace)));
  const int most = rounded(*result.smallest->trace) + beyond_the_range;
  return {fewest, std::clamp(most, fewest, problem.items())};
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

/// All k of the range. The first, the largest that SDP-lambda pays for, tells the others when they
/// are too far behind to be solved further.
void solve_range(Problem& problem, const SpurOptions& options, SpurResult& result) {
  const int most_paid = result.smallest ? rounded(*result.smallest->trace) : problem.items() - 1;
  const int first = std::clamp(most_paid, result.range.fewest, result.range.most);
  const SdpResult& first_solved = problem.solution(first, Effort::full);
  // With theta = 1 and every tie won, no other k can be chosen.
  const bool clear =
      options.choice_only && first == most_paid && first_solved.theta >= 1 - theta_tie;
  std::vector<int> others;
  for (int k = result.range.fewest; k <= result.range.most; ++k) {
    if (k != first) others.push_back(k);
  }
  if (!clear) {
    std::optional<Dull> dull;
    if (solve_options(problem).goal == SdpGoal::spectrum) {
      dull = Dull{first_solved.theta - contender_margin};
    }
    if (problem.method().certificates) {
      for (const int k : others) problem.certificate(k);  // in order, so that chance has no say
    }
    problem.dense();
    solve_at_once(problem, others.size(),
                  [&](std::size_t i) { problem.solution(others[i], Effort::full, dull); });
  }
  for (int k = result.range.fewest; k <= result.range.most; ++k) {
    result.steps.push_back(clear && k != first
                               ? unsolved_step(problem.partition(k))
                               : step_of(problem.solution(k, Effort::full, Dull{}), k));
  }
  result.clusters = clear ? first : result.steps[best_step(result.steps, most_paid)].clusters;
}

}  // namespace

const SpurStep* SpurResult::chosen() const {
  const auto found = std::find_if(steps.begin(), steps.end(),
                                  [&](const SpurStep& step) { return step.clusters == clusters; });
  return found == steps.end() ? nullptr : &*found;
}

SpurResult choose_by_spur(Problem& problem, const SpurOptions& options) {
  SpurResult result = with_ends(problem.similarity(), options);
  if (problem.method().certificates && settled_by_certificate(problem, options, result)) {
    return result;
  }
  result.range = options.range ? *options.range : range_from_ends(problem, result);
  solve_range(problem, options, result);
  return result;
}

std::optional<SpurResult> choose_by_certificate(Problem& problem, const SpurOptions& options) {
  SpurResult result = with_ends(problem.similarity(), options);
  if (!settled_by_certificate(problem, options, result)) return std::nullopt;
  return result;
}

SpurResult choose_by_lambda_grid(Problem& problem, const SpurOptions& options) {
  SpurResult result;
  const double most = largest_lambda(problem.similarity());
  std::vector<double> lambdas;
  for (int t = 1; t <= options.grid; ++t) {
    lambdas.push_back(std::expm1(static_cast<double>(t) / options.grid * std::log1p(most)));
  }
  const DenseOptions solve_to = solve_options(problem);
  std::vector<SdpResult> solved(lambdas.size());
  if (problem.method().certificates) {
    // Searches share what they find: one after the other, so that chance has no say.
    for (std::size_t t = 0; t < solved.size(); ++t) {
      solved[t] = solve(problem, Lambda{lambdas[t]}, solve_to);
    }
  } else {
    solve_at_once(problem, solved.size(),
                  [&](std::size_t t) { solved[t] = solve(problem, Lambda{lambdas[t]}, solve_to); });
  }
  result.range = {problem.items(), 1};
  for (std::size_t t = 0; t < solved.size(); ++t) {
    const int clusters = std::max(1, rounded(solved[t].trace));
    SpurStep step = step_of(solved[t], clusters, lambdas[t]);
    step.lambda = lambdas[t];
    result.range.fewest = std::min(result.range.fewest, clusters);
    result.range.most = std::max(result.range.most, clusters);
    result.steps.push_back(step);
  }
  const std::optional<std::size_t> best = best_lambda(result.steps);
  result.clusters = best ? result.steps[*best].clusters : 1;
  return result;
}

}  // namespace tertium::internal
