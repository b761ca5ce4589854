#include "tertium/hierarchy/comparison_linkage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "tertium/answers/weighted_comparisons.hpp"
#include "tertium/hierarchy/merge_order.hpp"

namespace tertium::internal {
namespace {

/// Of the largest |W|: sums of the same fractions in another order differ by far less, W that are
/// not equal by more, but for very large clusters.
constexpr double rounding = 1e-12;

/// What all answers together say about one pair of pairs: ij is more alike than rs, by weight.
struct Balance {
  std::uint32_t i, j, r, s;
  double weight;
};

/// One balance for every two pairs that were compared, zeros left out.
std::vector<Balance> balances_of(const ComparisonList& list, std::span<const AnswerFactor> factor) {
  struct Said {
    std::uint64_t pairs;
    Balance balance;
  };
  std::vector<Said> said;
  for_each_weighted(list, factor,
                    [&](Comparison c, const ComparedPairs& pairs, std::int64_t weight) {
                      const bool turned = pairs.plus > pairs.minus;
                      if (turned) {
                        std::swap(c.i, c.r);
                        std::swap(c.j, c.s);
                      }
                      const std::uint64_t low = std::min(pairs.plus, pairs.minus);
                      const std::uint64_t high = std::max(pairs.plus, pairs.minus);
                      const auto signed_weight = static_cast<double>(turned ? -weight : weight);
                      said.push_back({low << 32U | high, {c.i, c.j, c.r, c.s, signed_weight}});
                    });
  std::sort(said.begin(), said.end(),
            [](const Said& a, const Said& b) { return a.pairs < b.pairs; });
  std::vector<Balance> balances;
  for (std::size_t at = 0; at < said.size();) {
    Balance sum = said[at].balance;  // whole numbers: exact in any order
    const std::uint64_t pairs = said[at].pairs;
    for (++at; at < said.size() && said[at].pairs == pairs; ++at) {
      sum.weight += said[at].balance.weight;
    }
    if (sum.weight != 0) balances.push_back(sum);
  }
  return balances;
}

class ComparisonLinkage {
 public:
  ComparisonLinkage(const ComparisonList& list, std::span<const AnswerFactor> factor)
      : items_(list.items()),
        balances_(balances_of(list, factor)),
        place_(items_),
        first_item_(items_),
        size_(items_, 1) {
    std::iota(place_.begin(), place_.end(), 0U);
    first_item_ = place_;
  }

  Dendrogram run(Run& run) {
    MergeOrder order(items_);
    for (std::size_t merged = 1; merged < items_; ++merged) {
      run.check();
      add_up();
      const auto [p, q] = nearest();
      order.merge(first_item_[p], first_item_[q], static_cast<double>(merged));
      merge(p, q);
    }
    return order.take();
  }

 private:
  [[nodiscard]] std::size_t clusters() const { return size_.size(); }
  [[nodiscard]] std::size_t pair_of(std::size_t p, std::size_t q) const {
    return p < q ? p * clusters() + q : q * clusters() + p;
  }

  /// W times |p||q|, for all pairs of clusters. Balances that can never count again are dropped:
  /// clusters only grow.
  void add_up() {
    scores_.assign(clusters() * clusters(), 0);
    std::size_t kept = 0;
    for (const Balance& balance : balances_) {
      const auto [p, q] = std::pair(place_[balance.i], place_[balance.j]);
      const auto [r, s] = std::pair(place_[balance.r], place_[balance.s]);
      if (p == q || r == s) continue;
      const std::size_t plus = pair_of(p, q);
      const std::size_t minus = pair_of(r, s);
      if (plus == minus) continue;
      balances_[kept++] = balance;
      scores_[plus] += balance.weight / (size_[r] * size_[s]);
      scores_[minus] -= balance.weight / (size_[p] * size_[q]);
    }
    balances_.resize(kept);
  }

  std::pair<std::size_t, std::size_t> nearest() {
    double best = -std::numeric_limits<double>::infinity();
    double largest = 0;
    for (std::size_t p = 0; p < clusters(); ++p) {
      for (std::size_t q = p + 1; q < clusters(); ++q) {
        double& score = scores_[pair_of(p, q)];
        score /= size_[p] * size_[q];
        best = std::max(best, score);
        largest = std::max(largest, std::abs(score));
      }
    }
    for (std::size_t p = 0; p < clusters(); ++p) {
      for (std::size_t q = p + 1; q < clusters(); ++q) {
        if (scores_[pair_of(p, q)] >= best - rounding * largest) return {p, q};
      }
    }
    return {0, 1};  // not reached: the best is among them
  }

  /// Clusters are in the order of their smallest items, and stay so.
  void merge(std::size_t p, std::size_t q) {
    for (std::uint32_t& place : place_) {
      if (place == q) {
        place = static_cast<std::uint32_t>(p);
      } else if (place > q) {
        --place;
      }
    }
    size_[p] += size_[q];
    size_.erase(size_.begin() + static_cast<std::ptrdiff_t>(q));
    first_item_.erase(first_item_.begin() + static_cast<std::ptrdiff_t>(q));
  }

  std::size_t items_;
  std::vector<Balance> balances_;
  std::vector<std::uint32_t> place_;       // of the cluster of every item
  std::vector<std::uint32_t> first_item_;  // of every cluster
  std::vector<double> size_;               // of every cluster
  std::vector<double> scores_;
};

}  // namespace

Dendrogram link_by_comparisons(const ComparisonList& list, std::span<const AnswerFactor> factor,
                               Run& run) {
  return ComparisonLinkage(list, factor).run(run);
}

}  // namespace tertium::internal
