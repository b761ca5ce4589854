#include "tertium/hierarchy/linkage.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tertium/core/memory.hpp"
#include "tertium/hierarchy/merge_order.hpp"

namespace tertium::internal {
namespace {

__extension__ using Wide = __int128;

/// A mean of integers, compared without division.
struct Likeness {
  std::int64_t sum = 0;
  std::int64_t pairs = 1;

  [[nodiscard]] bool exceeds(const Likeness& other) const {
    return Wide{sum} * other.pairs > Wide{other.sum} * pairs;
  }
  [[nodiscard]] double value() const {
    return static_cast<double>(sum) / static_cast<double>(pairs);
  }
};

class NearestNeighbourChain {
 public:
  NearestNeighbourChain(const SparseMap& similarity, Linkage linkage)
      : linkage_(linkage),
        items_(static_cast<std::size_t>(similarity.size())),
        between_(items_ * (items_ - 1) / 2, 0),
        size_(items_, 1) {
    for (std::uint32_t i = 0; i < items_; ++i) {
      left_.push_back(i);
      similarity.visit_row(i, [&](std::uint32_t j, std::int64_t value) {
        if (j < i) between(i, j) = value;
      });
    }
  }

  struct Step {
    std::uint32_t a;
    std::uint32_t b;
    Likeness likeness;
  };

  std::vector<Step> run(Run& run) {
    std::vector<Step> steps;
    std::vector<std::uint32_t> chain;
    while (steps.size() + 1 < items_) {
      run.check();
      if (chain.empty()) chain.push_back(left_.front());
      const std::uint32_t last = chain.back();
      const auto before = chain.size() > 1 ? std::optional(chain[chain.size() - 2]) : std::nullopt;
      const std::uint32_t nearest = nearest_to(last, before);
      if (nearest != before) {
        chain.push_back(nearest);
        continue;
      }
      steps.push_back({last, nearest, likeness(last, nearest)});
      merge(std::min(last, nearest), std::max(last, nearest));
      chain.resize(chain.size() - 2);
    }
    return steps;
  }

 private:
  std::int64_t& between(std::uint32_t a, std::uint32_t b) {
    const std::size_t low = std::min(a, b);
    const std::size_t high = std::max(a, b);
    return between_[high * (high - 1) / 2 + low];
  }

  Likeness likeness(std::uint32_t a, std::uint32_t b) {
    const std::int64_t pairs = linkage_ == Linkage::average ? size_[a] * size_[b] : 1;
    return {between(a, b), pairs};
  }

  std::uint32_t nearest_to(std::uint32_t cluster, std::optional<std::uint32_t> before) {
    std::optional<std::uint32_t> nearest = before;
    Likeness best = before ? likeness(cluster, *before) : Likeness{};
    for (const std::uint32_t other : left_) {
      if (other == cluster) continue;
      const Likeness here = likeness(cluster, other);
      if (nearest && !here.exceeds(best)) continue;
      nearest = other;
      best = here;
    }
    return *nearest;
  }

  /// A cluster goes by its smallest item.
  void merge(std::uint32_t kept, std::uint32_t gone) {
    left_.erase(std::lower_bound(left_.begin(), left_.end(), gone));
    for (const std::uint32_t other : left_) {
      if (other == kept) continue;
      std::int64_t& sum = between(kept, other);
      const std::int64_t added = between(gone, other);
      switch (linkage_) {
        case Linkage::average:
          sum += added;
          break;
        case Linkage::single:
          sum = std::max(sum, added);
          break;
        case Linkage::complete:
          sum = std::min(sum, added);
          break;
      }
    }
    size_[kept] += size_[gone];
  }

  Linkage linkage_;
  std::size_t items_;
  std::vector<std::int64_t> between_;  // of the pairs between clusters: sum, largest or smallest
  std::vector<std::int64_t> size_;
  std::vector<std::uint32_t> left_;  // clusters, increasing
};

}  // namespace

Dendrogram link(const SparseMap& similarity, Linkage linkage, Run& run) {
  const auto items = static_cast<std::size_t>(similarity.size());
  check_memory(sizeof(std::int64_t) * static_cast<double>(items) * static_cast<double>(items) / 2,
               "a tree over so many items", "Use --method auto");
  std::vector<NearestNeighbourChain::Step> steps =
      NearestNeighbourChain(similarity, linkage).run(run);
  // A chain finds merges of different branches in any order, those of one branch bottom-up, which
  // a stable sort leaves so where they are equally alike.
  std::stable_sort(steps.begin(), steps.end(),
                   [](const auto& a, const auto& b) { return a.likeness.exceeds(b.likeness); });
  MergeOrder order(items);
  for (const auto& [a, b, likeness] : steps) {
    const double less = steps.front().likeness.value() - likeness.value();
    order.merge(a, b, less / similarity.denominator());
  }
  return order.take();
}

}  // namespace tertium::internal
