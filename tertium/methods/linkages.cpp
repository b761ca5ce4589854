#include "tertium/methods/linkages.hpp"

#include "tertium/methods/cut_tree.hpp"
#include "tertium/problem/problem.hpp"

namespace tertium::internal {
namespace {

template <Linkage linkage>
const Dendrogram& tree_of(Problem& problem) {
  return problem.tree([&] { return link(problem.map(), linkage, problem.run()); });
}

}  // namespace

template <Linkage linkage>
Candidate cluster_by_linkage(Problem& problem, int clusters) {
  problem.run().say("merging clusters");
  return cut_candidate(problem, tree_of<linkage>(problem), clusters);
}

template <Linkage linkage>
Labels refit_by_linkage(Problem& problem, int clusters, const RefitStart& /*start*/) {
  return cut(tree_of<linkage>(problem), clusters);
}

template Candidate cluster_by_linkage<Linkage::average>(Problem& problem, int clusters);
template Candidate cluster_by_linkage<Linkage::single>(Problem& problem, int clusters);
template Candidate cluster_by_linkage<Linkage::complete>(Problem& problem, int clusters);
template Labels refit_by_linkage<Linkage::average>(Problem& problem, int clusters,
                                                   const RefitStart& start);
template Labels refit_by_linkage<Linkage::single>(Problem& problem, int clusters,
                                                  const RefitStart& start);
template Labels refit_by_linkage<Linkage::complete>(Problem& problem, int clusters,
                                                    const RefitStart& start);

}  // namespace tertium::internal
