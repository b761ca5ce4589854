#include "tertium/exact/proved_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tertium::internal {
namespace {

/// Groups of the items on the way from the root to a node.
class Groups {
 public:
  explicit Groups(std::size_t items) : first_(items) { std::iota(first_.begin(), first_.end(), 0); }

  void join(int i, int j) {
    const auto [low, high] = std::minmax({first_[at(i)], first_[at(j)]});
    std::replace(first_.begin(), first_.end(), int{high}, int{low});
  }

  /// The group of every item, numbered by first items.
  [[nodiscard]] std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> number(first_.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      number[i] = first_[i] == static_cast<int>(i) ? count++ : number[at(first_[i])];
    }
    return number;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<int> first_;
};

class PairsInLeaves {
 public:
  PairsInLeaves(const ProofTree& tree, const FoundPartition& best, double slack)
      : tree_(tree),
        items_(best.labels.size()),
        clusters_(static_cast<std::size_t>(best.clusters)),
        least_(best.value - (slack + comparison_rounding) * std::abs(best.value)),
        apart_(items_ * (items_ - 1) / 2, true) {}

  std::vector<bool> find() {
    if (tree_.nodes.empty()) return std::vector<bool>(apart_.size(), false);
    visit(0, Groups(items_), {});
    return std::move(apart_);
  }

 private:
  using Pairs = std::vector<std::pair<int, int>>;

  void visit(int at, const Groups& groups, const Pairs& parted) {
    const ProofTree::Node& node = tree_.nodes[static_cast<std::size_t>(at)];
    if (node.apart < 0) {
      look_at_leaf(node.proof, groups.numbers(), parted);
      return;
    }
    Pairs more = parted;
    more.push_back(node.pair);
    visit(node.apart, groups, more);
    Groups joined = groups;
    joined.join(node.pair.first, node.pair.second);
    visit(node.together, joined, parted);
  }

  void look_at_leaf(const NodeProof& proof, const std::vector<std::size_t>& group,
                    const Pairs& parted) {
    if (proof.bound < least_) return;  // nothing that good is in it
    const std::size_t count = 1 + *std::max_element(group.begin(), group.end());
    std::vector<double> size(count, 0);
    for (const std::size_t g : group) ++size[g];
    std::vector<bool> must_part(count * count, false);
    for (const auto& [i, j] : parted) {
      const std::size_t g = group[static_cast<std::size_t>(i)];
      const std::size_t h = group[static_cast<std::size_t>(j)];
      must_part[g * count + h] = must_part[h * count + g] = true;
    }
    const auto largest = static_cast<double>(items_ - clusters_ + 1);
    std::size_t pair = 0;
    for (std::size_t i = 0; i < items_; ++i) {
      for (std::size_t j = 0; j < i; ++j, ++pair) {
        const std::size_t g = std::max(group[i], group[j]);
        const std::size_t h = std::min(group[i], group[j]);
        if (g != h && must_part[g * count + h]) continue;
        const double n = g == h ? 0.0 : static_cast<double>(proof.nonnegative[g * (g + 1) / 2 + h]);
        const double loss =
            2 * n * std::sqrt(size[g] * size[h]) / largest * (1 - comparison_rounding);
        if (!(proof.bound - loss < least_)) apart_[pair] = false;
      }
    }
  }

  const ProofTree& tree_;
  std::size_t items_;
  std::size_t clusters_;
  double least_;
  std::vector<bool> apart_;
};

}  // namespace

std::vector<bool> pairs_apart(const ProofTree& tree, const FoundPartition& best, double slack) {
  return PairsInLeaves(tree, best, slack).find();
}

PairCount count_across(const std::vector<bool>& apart, const Labels& labels) {
  PairCount count;
  std::size_t pair = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++pair) {
      if (labels[i] == labels[j]) continue;
      ++count.across;
      if (apart[pair]) ++count.apart;
    }
  }
  return count;
}

}  // namespace tertium::internal
