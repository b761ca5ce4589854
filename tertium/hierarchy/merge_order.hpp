#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tertium/dendrogram.hpp"

namespace tertium::internal {

/// Numbers clusters as a dendrogram does, from merges in their order, each told by any item of
/// either cluster.
class MergeOrder {
 public:
  explicit MergeOrder(std::size_t items) : parent_(items), cluster_(items), size_(items, 1) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    cluster_ = parent_;
  }

  void merge(std::uint32_t item, std::uint32_t other, double distance) {
    const std::uint32_t a = root_of(item);
    const std::uint32_t b = root_of(other);
    const auto [first, second] = std::minmax(cluster_[a], cluster_[b]);
    parent_[b] = a;
    size_[a] += size_[b];
    tree_.merges.push_back({first, second, distance, size_[a]});
    cluster_[a] = static_cast<std::uint32_t>(parent_.size() + tree_.merges.size() - 1);
  }

  Dendrogram take() { return std::move(tree_); }

 private:
  std::uint32_t root_of(std::uint32_t item) {
    while (parent_[item] != item) {
      parent_[item] = parent_[parent_[item]];
      item = parent_[item];
    }
    return item;
  }

  std::vector<std::uint32_t> parent_;   // of an item; itself: stands for its cluster
  std::vector<std::uint32_t> cluster_;  // the number of the cluster that an item stands for
  std::vector<std::uint32_t> size_;
  Dendrogram tree_;
};

}  // namespace tertium::internal
