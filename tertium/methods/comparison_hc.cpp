#include "tertium/methods/comparison_hc.hpp"

#include "tertium/hierarchy/comparison_linkage.hpp"
#include "tertium/methods/cut_tree.hpp"
#include "tertium/problem/problem.hpp"

namespace tertium::internal {
namespace {

const Dendrogram& tree_of(Problem& problem) {
  return problem.tree([&] {
    const auto& [list, factor] = problem.answers();
    return link_by_comparisons(*list, factor, problem.run());
  });
}

}  // namespace

Candidate cluster_by_comparisons(Problem& problem, int clusters) {
  problem.run().say("merging clusters");
  return cut_candidate(problem, tree_of(problem), clusters);
}

Labels refit_by_comparisons(Problem& problem, int clusters, const RefitStart& /*start*/) {
  return cut(tree_of(problem), clusters);
}

}  // namespace tertium::internal
