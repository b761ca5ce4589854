#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tertium/partition.hpp"

namespace tertium {

/// Two clusters become one. Clusters are numbered as in scipy: the items from 0, then the merges in
/// their order.
struct Merge {
  std::uint32_t first = 0;  // the smaller number
  std::uint32_t second = 0;
  double distance = 0;     // at least 0, and never below that of an earlier merge
  std::uint32_t size = 0;  // items in the new cluster

  friend bool operator==(const Merge&, const Merge&) = default;
};

/// A binary tree over n items: n - 1 merges, from the leaves to the root.
struct Dendrogram {
  std::vector<Merge> merges;

  [[nodiscard]] std::size_t items() const { return merges.size() + 1; }

  friend bool operator==(const Dendrogram&, const Dendrogram&) = default;
};

/// The clusters that are there before the last k - 1 merges, numbered by size. 1 <= k <= items.
Labels cut(const Dendrogram& tree, int clusters);

/// The tree as one line in Newick's format: leaves have the names of their items, in quotes where
/// the format asks for them, branches have the difference of the distances at their ends.
std::string newick(const Dendrogram& tree, const std::vector<std::string>& names);

}  // namespace tertium
