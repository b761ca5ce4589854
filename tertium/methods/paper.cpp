#include "tertium/methods/paper.hpp"

#include <cmath>

#include "tertium/partition/search.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/sdp/rounding.hpp"

namespace tertium::internal {

Candidate cluster_as_printed(Problem& problem, int clusters) {
  const SdpResult& solved = problem.solution(clusters, Effort::affordable);
  Candidate candidate;
  candidate.clusters = clusters;
  candidate.labels = clusters == 1 ? Labels(static_cast<std::size_t>(problem.items()), 0)
                                   : round_point(solved.point, clusters, problem.options().rounding,
                                                 problem.run());
  candidate.value = partition_value(problem.map(), candidate.labels, problem.run());
  if (std::isfinite(solved.upper_bound)) candidate.upper_bound = solved.upper_bound;
  return candidate;
}

Labels refit_as_printed(Problem& problem, int clusters, const RefitStart& /*start*/) {
  return cluster_as_printed(problem, clusters).labels;
}

}  // namespace tertium::internal
