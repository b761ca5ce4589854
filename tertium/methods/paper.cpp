#include "tertium/methods/paper.hpp"

#include <cmath>

#include "tertium/partition/search.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/sdp/rounding.hpp"

namespace tertium::internal {
namespace {

Labels rounded(Problem& problem, const SdpResult& solved, int clusters) {
  if (clusters == 1) return Labels(static_cast<std::size_t>(problem.items()), 0);
  return round_point(solved.point, clusters, problem.options().rounding, problem.run());
}

}  // namespace

Candidate cluster_as_printed(Problem& problem, int clusters) {
  const SdpResult& solved = problem.solution(clusters, Effort::full);
  Candidate candidate;
  candidate.clusters = clusters;
  candidate.labels = rounded(problem, solved, clusters);
  candidate.value = partition_value(problem.map(), candidate.labels, problem.run());
  if (std::isfinite(solved.upper_bound)) candidate.upper_bound = solved.upper_bound;
  return candidate;
}

Labels refit_as_printed(Problem& problem, int clusters, const RefitStart& /*start*/) {
  return rounded(problem, problem.solution(clusters, Effort::affordable), clusters);
}

}  // namespace tertium::internal
