#include "tertium/methods/cut_tree.hpp"

#include "tertium/partition/search.hpp"

namespace tertium::internal {

Candidate cut_candidate(Problem& problem, const Dendrogram& tree, int clusters) {
  Candidate candidate;
  candidate.clusters = clusters;
  candidate.labels = cut(tree, clusters);
  candidate.value = partition_value(problem.map(), candidate.labels, problem.run());
  candidate.tree = tree;
  return candidate;
}

}  // namespace tertium::internal
