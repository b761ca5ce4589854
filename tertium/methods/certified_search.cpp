#include "tertium/methods/certified_search.hpp"

#include <algorithm>
#include <cmath>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/consensus.hpp"
#include "tertium/partition/local_search.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/sdp/rounding.hpp"

namespace tertium::internal {
namespace {

/// X, rounded and improved, may be better than what the search found.
void offer_rounded(Problem& problem, const Labels& rounded, int clusters) {
  ClusterSums sums(problem.map(), rounded, clusters, problem.run());
  improve(sums, problem.map(), {}, problem.run());
  problem.offer(sums.labels());
}

/// The best partition may owe its lead to noise. Without a proof the consensus of those nearly as
/// good takes its place, unless it loses a cluster or falls behind the plain rounding of X.
void take_consensus(Problem& problem, const Labels& rounded, Candidate& candidate) {
  const int clusters = candidate.clusters;
  Run& run = problem.run();
  const ClusterSums sums(problem.map(), candidate.labels, clusters, run);
  const double likelihood = likelihood_of_value(problem.similarity(), sums);
  if (likelihood <= 0) return;
  run.say("comparing the best partitions");
  const Labels found =
      consensus_partition(problem.map(), candidate.labels, clusters, likelihood, run);
  ConsensusMoves moves;
  moves.best_objective = candidate.value;
  for (std::size_t i = 0; i < found.size(); ++i) moves.moved += found[i] != candidate.labels[i];
  if (moves.moved == 0) return;
  const Labels ordered = in_order_of_size(found);
  if (count_clusters(ordered) < clusters) return;
  const double value = partition_value(problem.map(), ordered, run);
  if (!rounded.empty() && value < partition_value(problem.map(), rounded, run)) return;
  if (candidate.is_proved()) {
    moves.taken = false;
    candidate.consensus = moves;
    return;
  }
  if (problem.offer(ordered)) {  // better than all that was seen: the best, not a consensus
    candidate.labels = ordered;
    candidate.value = value;
    candidate.certificate = problem.certificate(clusters);
    return;
  }
  candidate.labels = ordered;
  candidate.value = value;
  candidate.consensus = moves;
  candidate.certificate->verdict = Verdict::not_optimal;
  candidate.certificate->level = Evidence::proved;
}

/// Cuts are over all pairs of items, several times.
constexpr int most_items_proved = 1000;

bool is_worth_a_proof(const Problem& problem) {
  return problem.options().proof && problem.is_exact() && problem.items() <= most_items_proved;
}

/// Beyond, the bound by taking noise away is nearly that of the program, and takes seconds.
constexpr int most_items_for_program = 3000;

/// Whether the program may still say more than the bound that there is.
bool is_worth_a_program(Problem& problem, const Candidate& candidate) {
  if (!problem.has_room_for_program()) return false;
  if (!candidate.cancelled) return true;
  const double value = problem.partition(candidate.clusters).value;
  const double open = candidate.cancelled->upper_bound - value;
  return problem.items() <= most_items_for_program &&
         open > problem.options().tolerance * std::abs(value);
}

}  // namespace

Candidate cluster_by_certified_search(Problem& problem, int clusters) {
  Run& run = problem.run();
  run.say("searching partitions");
  Candidate candidate;
  candidate.clusters = clusters;
  const bool trivial = clusters == 1 || clusters == problem.items();
  const auto is_certified = [&] {
    return problem.certificate(clusters).verdict == Verdict::optimal;
  };
  if (!is_certified() && !trivial && is_worth_a_proof(problem)) {
    run.say("proving");
    candidate.proof = problem.proof(clusters, *problem.options().proof);
  }
  // Who has ended the proof does not want to wait for the program.
  const bool is_settled = candidate.proof && (candidate.proof->closed || candidate.proof->stopped);
  if (!is_certified() && !trivial && !candidate.proof && problem.is_exact()) {
    run.say("bounding");
    candidate.cancelled = problem.cancelled_bound(clusters);
  }
  Labels rounded;
  if (!is_certified() && !is_settled && (trivial || is_worth_a_program(problem, candidate))) {
    const SdpResult& solved = problem.solution(clusters, Effort::affordable);
    if (!trivial && solved.status != SdpStatus::certified) {
      rounded = round_point(solved.point, clusters, problem.options().rounding, run);
      offer_rounded(problem, rounded, clusters);
    }
  }
  const FoundPartition& best = problem.partition(clusters);
  candidate.labels = best.labels;
  candidate.value = best.value;
  candidate.certificate = problem.certificate(clusters);
  if (is_certified()) {
    candidate.upper_bound = candidate.value;
  } else if (!trivial) {
    take_consensus(problem, rounded, candidate);
  }
  return candidate;
}

Labels refit_by_search(Problem& problem, int clusters, const RefitStart& start) {
  SearchOptions options;
  options.restarts = start.restarts;
  options.whole_clusters = start.whole_clusters;
  SearchStart search;
  if (clusters > 1 && clusters < problem.items()) search.eigenpairs = start.eigenpairs();
  search.labels = start.labels;
  search.splits = start.splits;
  return search_partition(problem.map(), clusters, search, start.random, options, problem.run())
      .labels;
}

}  // namespace tertium::internal
