#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tertium::internal {

/// Numbers that prove a bound on all partitions that do as a node demands (docs/certificate.md), in
/// the precision in which a file keeps them.
struct NodeProof {
  struct Cut {
    std::uint32_t apex = 0;  // groups of items, numbered by their first item
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    float multiplier = 0;  // > 0
  };
  double bound = std::numeric_limits<double>::infinity();  // -infinity: no partition does
  std::vector<float> nonnegative;  // N over groups, lower triangle with diagonal, row by row
  std::vector<Cut> cuts;
};

/// A tree that covers all partitions into k clusters: every node is split by a pair of items that
/// are apart in one child and together in the other, or has a proof that counts, or both.
struct ProofTree {
  struct Node {
    NodeProof proof;
    std::pair<int, int> pair{-1, -1};  // items; -1: a leaf
    int apart = -1;                    // the two children
    int together = -1;
  };
  std::vector<Node> nodes;  // the root first; empty: nothing was tried
};

/// The bound that the whole tree proves.
double bound_of(const ProofTree& tree);

/// The same without children that prove no more than their parent: leaves have the proofs that
/// count, and only they have one. In the order in which a file lists them: a node, then all below
/// its apart child, then all below the other.
ProofTree pruned(ProofTree tree);

}  // namespace tertium::internal
