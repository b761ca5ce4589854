#include "tertium/exact/proved_cores.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "tertium/exact/merged_items.hpp"
#include "tertium/exact/proved_pairs.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {
namespace {

constexpr int steps_between_bounds = 25;
constexpr int most_rounds = 16;
/// A bound that will not be low enough in so many more rounds like the last one is given up.
constexpr double rounds_foreseen = 6;
/// Items that are looked at at once. Not the number of threads: what is proved must not depend on
/// it.
constexpr std::size_t items_at_once = 8;

/// An item and the one of its cluster that it may be parted from.
struct Pair {
  int item = 0;
  int center = 0;
  double loss = 0;    // of f when one of the two goes elsewhere: the less, the less can be proved
  Labels other;       // the best partition with one of them elsewhere
  double proved = 0;  // the slack
  double work = 0;
};

class Cores {
 public:
  Cores(const SparseMap& similarity, const FoundPartition& best, const CutSplitting::Start& from,
        const CoreOptions& options, Run& run)
      : similarity_(similarity), best_(best), from_(from), options_(options), run_(run) {}

  std::vector<double> find() {
    std::vector<Pair> pairs = pairs_worth_a_try();
    double work = 0;
    for (std::size_t from = 0; from < pairs.size(); from += items_at_once) {
      if (work >= options_.most_work || options_.should_end()) break;
      const std::size_t to = std::min(from + items_at_once, pairs.size());
      std::atomic<std::size_t> next = from;
      run_.workers(std::min(run_.threads(), static_cast<int>(to - from)), [&](int) {
        for (std::size_t p = next.fetch_add(1); p < to; p = next.fetch_add(1))
          try_to_part(pairs[p]);
      });
      for (std::size_t p = from; p < to; ++p) work += pairs[p].work;
    }
    std::vector<double> slack(best_.labels.size(), 0);
    for (const Pair& pair : pairs) {
      slack[at(pair.item)] = pair.proved;
      slack[at(pair.center)] = std::max(slack[at(pair.center)], pair.proved);
    }
    return slack;
  }

 private:
  static std::size_t at(int item) { return static_cast<std::size_t>(item); }

  /// The value that all partitions within the slack have.
  [[nodiscard]] double least(double slack) const {
    return best_.value - (slack + comparison_rounding) * std::abs(best_.value);
  }

  /// Every item with the one of its cluster that loses the most elsewhere. Where a known partition
  /// that good parts them, nothing can be proved. The clearest first.
  std::vector<Pair> pairs_worth_a_try() {
    const ClusterSums sums(similarity_, best_.labels, best_.clusters, run_);
    std::vector<double> loss(best_.labels.size(), std::numeric_limits<double>::infinity());
    std::vector<int> elsewhere(best_.labels.size(), 0);
    std::vector<int> center(at(best_.clusters), -1);
    for (std::size_t i = 0; i < loss.size(); ++i) {
      const int own = best_.labels[i];
      for (int other = 0; other < best_.clusters; ++other) {
        if (other == own) continue;
        const double here = -sums.gain_of_move(i, other) / similarity_.denominator();
        if (here >= loss[i]) continue;
        loss[i] = here;
        elsewhere[i] = other;
      }
      int& most = center[at(own)];
      if (most < 0 || loss[i] > loss[at(most)]) most = static_cast<int>(i);
    }
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < loss.size(); ++i) {
      const int middle = center[at(best_.labels[i])];
      if (middle == static_cast<int>(i)) continue;
      if (best_.value - loss[i] >= least(options_.slacks.front())) continue;
      Pair pair{static_cast<int>(i), middle, loss[i], best_.labels, 0, 0};
      pair.other[i] = elsewhere[i];
      pairs.push_back(std::move(pair));
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.loss > b.loss; });
    return pairs;
  }

  /// Bounds what is left when the two are apart.
  void try_to_part(Pair& pair) const {
    const MergedItems items = merged_items(similarity_, {{}, {{pair.item, pair.center}}});
    CutSplitting splitting(items, best_.clusters, from_, run_);
    splitting.aim_at(point_of(items, pair.other));
    const double wanted =
        *std::find_if(options_.slacks.rbegin(), options_.slacks.rend(),
                      [&](double slack) { return best_.value - pair.loss < least(slack); });
    double bound = splitting.proof().bound;
    for (int round = 0; round < most_rounds && !(bound < least(wanted)); ++round) {
      const double before = bound;
      for (int step = 0; step < steps_between_bounds; ++step) {
        if (options_.should_end()) return;
        splitting.iterate();
      }
      pair.work += steps_between_bounds * static_cast<double>(items.size() * items.size());
      bound = std::min(bound, splitting.proof().bound);
      const double fallen = before - bound;
      if (round > 0 && bound - rounds_foreseen * fallen > least(wanted)) break;
      splitting.renew_cuts();
    }
    for (const double slack : options_.slacks) {
      if (bound < least(slack)) pair.proved = slack;
    }
  }

  const SparseMap& similarity_;
  const FoundPartition& best_;
  const CutSplitting::Start& from_;
  const CoreOptions& options_;
  Run& run_;
};

}  // namespace

std::vector<double> proved_cores(const SparseMap& similarity, const FoundPartition& best,
                                 const CutSplitting::Start& from, const CoreOptions& options,
                                 Run& run) {
  return Cores(similarity, best, from, options, run).find();
}

}  // namespace tertium::internal
