#include "tertium/exact/proof_tree.hpp"

#include <algorithm>

namespace tertium::internal {
namespace {

/// Of every node the bound that it and all below it prove. Children come after their parents.
std::vector<double> bounds_of(const ProofTree& tree) {
  std::vector<double> bounds(tree.nodes.size());
  for (std::size_t at = tree.nodes.size(); at-- > 0;) {
    const ProofTree::Node& node = tree.nodes[at];
    bounds[at] = node.proof.bound;
    if (node.apart < 0) continue;
    bounds[at] = std::min(bounds[at], std::max(bounds[static_cast<std::size_t>(node.apart)],
                                               bounds[static_cast<std::size_t>(node.together)]));
  }
  return bounds;
}

}  // namespace

double bound_of(const ProofTree& tree) {
  return tree.nodes.empty() ? std::numeric_limits<double>::infinity() : bounds_of(tree).front();
}

ProofTree pruned(ProofTree tree) {
  const std::vector<double> bounds = bounds_of(tree);
  ProofTree result;
  struct Visit {
    int from;
    int parent;  // in the result
    bool together;
  };
  std::vector<Visit> stack;
  if (!tree.nodes.empty()) stack.push_back({0, -1, false});
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    ProofTree::Node& node = tree.nodes[static_cast<std::size_t>(visit.from)];
    const int here = static_cast<int>(result.nodes.size());
    if (visit.parent >= 0) {
      ProofTree::Node& parent = result.nodes[static_cast<std::size_t>(visit.parent)];
      (visit.together ? parent.together : parent.apart) = here;
    }
    ProofTree::Node& kept = result.nodes.emplace_back();
    if (node.apart < 0 || node.proof.bound <= bounds[static_cast<std::size_t>(visit.from)]) {
      kept.proof = std::move(node.proof);
      continue;
    }
    kept.pair = node.pair;
    stack.push_back({node.together, here, true});
    stack.push_back({node.apart, here, false});
  }
  return result;
}

}  // namespace tertium::internal
