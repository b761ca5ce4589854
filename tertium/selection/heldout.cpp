#include "tertium/selection/heldout.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "tertium/core/random.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/local_search.hpp"
#include "tertium/problem/method.hpp"
#include "tertium/selection/block_table.hpp"

namespace tertium::internal {
namespace {

// Measured by how often the planted k is found: 18 of 27 sets of 60 to 300 items and 2 to 14
// clusters with hardly enough answers, and by the k of eight real sets.

/// With half, planted 14 and the 13 of Food are out of reach; double finds as many in 1.1 times the
/// time.
constexpr int default_most = 20;
/// Early stopping looks at the curve each time that so many more k are known. Half saves nothing,
/// double takes 1.1 times as long.
constexpr int clusters_at_once = 4;
/// Answers that a thread puts into folds before it asks for more: some milliseconds of work.
constexpr std::size_t answers_at_once = std::size_t{1} << 16U;

/// Half never stopped too soon here, nor saved time; double takes 1.25 times as long.
constexpr int least_horizon = 12;
/// Half as quick, double takes 1.2 times as long, all with the same k.
constexpr int falling_points = 4;
/// Standard errors that a difference must have to count: as half, and 5 in 100 times by chance.
/// With double two sets with clusters are taken for one cluster.
constexpr double errors_to_believe = 2;
/// See choose_clusters. 0.9 gives five of the real sets fewer clusters, 0.975 two of them more; of
/// the planted sets as many are found.
constexpr double enough_of_the_gain = 0.95;

/// Eigenvectors are a start for k-means. The number of steps is fixed: those that stand out from
/// the noise have converged by then, and the others never would. Half and double find the
/// planted k as often, in the same time.
constexpr int krylov_block = 8;
constexpr int krylov_steps = 16;

/// Everything about one fold that is kept from one k to the next.
struct Fold {
  std::vector<std::uint32_t> held_out;  // numbers of answers
  KrylovResult eigenpairs;
  Labels labels;  // of the last k
  SplitDirections splits;
  std::vector<HeldoutScore> scores;  // of all k, as far as they are known
  int next = 0;                      // the first k that is not
  bool taken = false;                // somebody works on it
};

KrylovResult leading_eigenpairs_of(const SparseMap& map, int wanted, Run& run) {
  KrylovOptions options;
  options.block = krylov_block;
  options.most_steps = krylov_steps + 2 * wanted / krylov_block;
  options.random = run.stream("eigenvectors of a fold");
  return leading_eigenpairs(map, wanted, options, run);
}

const HeldoutPoint& best_of(const std::vector<HeldoutPoint>& points) {
  return *std::max_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return a.log_likelihood < b.log_likelihood;
  });
}

/// Standard error of the difference between two points, from its spread over the folds: what the
/// folds have in common does not count.
double error_of_difference(const HeldoutPoint& a, const HeldoutPoint& b) {
  const auto folds = static_cast<double>(a.by_fold.size());
  if (folds < 2) return 0;
  double sum = 0;
  double squares = 0;
  for (std::size_t f = 0; f < a.by_fold.size(); ++f) {
    const double difference = a.by_fold[f] - b.by_fold[f];
    sum += difference;
    squares += difference * difference;
  }
  return std::sqrt(std::max(0.0, squares - sum * sum / folds) / (folds - 1) / folds);
}

/// True if the last points are all clearly below the best. Never before `least_horizon`: with many
/// clusters and few answers the curve falls at first, below k = 1 even, and then rises.
bool has_fallen(const std::vector<HeldoutPoint>& points) {
  const HeldoutPoint& best = best_of(points);
  const HeldoutPoint& last = points.back();
  if (last.clusters < std::max(least_horizon, best.clusters + falling_points)) return false;
  return std::all_of(points.end() - falling_points, points.end(), [&](const HeldoutPoint& point) {
    const double drop = best.log_likelihood - point.log_likelihood;
    return drop > errors_to_believe * error_of_difference(best, point);
  });
}

class CurveBuilder {
 public:
  CurveBuilder(const ComparisonList& list, const Refitting& refitting,
               const HeldoutOptions& options, Run& run)
      : list_(list), refitting_(refitting), options_(options), run_(run) {
    const auto items = static_cast<int>(std::min<std::size_t>(list.items(), 1U << 30U));
    most_ = options.most > 0 ? options.most : std::min(items / 2, default_most);
    most_ = std::clamp(most_, options.least, std::max(items, options.least));
    folds_.resize(static_cast<std::size_t>(options.folds));
    for (Fold& fold : folds_) {
      fold.scores.resize(at(most_) + 1);
      fold.next = options_.least;
    }
    cut_into_folds(run.stream("folds").next());
  }

  HeldoutCurve build() {
    run_.workers(std::min(run_.threads(), options_.folds), [&](int) {
      Reweighting reweighting(list_, refitting_.rule);
      Problem problem(reweighting.all(run_), refitting_.method, refitting_.options, run_);
      while (Fold* fold = take()) {
        reweighting.apply(without(*fold), problem);
        extend(*fold, problem);
        give_back(*fold);
      }
    });
    curve_.clusters = choose_clusters(curve_.points);
    return std::move(curve_);
  }

 private:
  /// All answers to one question are in one fold.
  void cut_into_folds(std::uint64_t salt) {
    std::vector<std::uint32_t> fold_of(list_.answers());
    std::atomic<std::size_t> next = 0;
    run_.workers(fold_of.size() > answers_at_once ? run_.threads() : 1, [&](int) {
      for (std::size_t from = next.fetch_add(answers_at_once); from < fold_of.size();
           from = next.fetch_add(answers_at_once)) {
        const std::size_t to = std::min(from + answers_at_once, fold_of.size());
        for (std::size_t answer = from; answer < to; ++answer) {
          const std::uint64_t drawn = Random(list_.question_hash(answer) ^ salt).next();
          fold_of[answer] = static_cast<std::uint32_t>(drawn % folds_.size());
        }
      }
    });
    std::vector<std::size_t> sizes(folds_.size(), 0);
    for (const std::uint32_t fold : fold_of) ++sizes[fold];
    for (std::size_t f = 0; f < folds_.size(); ++f) folds_[f].held_out.reserve(sizes[f]);
    for (std::uint32_t answer = 0; answer < fold_of.size(); ++answer) {
      folds_[fold_of[answer]].held_out.push_back(answer);
    }
  }

  /// The fold that is least far, of those that nobody works on: there is one, as there are no more
  /// workers than folds. Nobody waits for others at the end of a part of the curve.
  Fold* take() {
    const std::lock_guard lock(mutex_);
    Fold* least = nullptr;
    for (Fold& fold : folds_) {
      if (!fold.taken && (least == nullptr || fold.next < least->next)) least = &fold;
    }
    if (ended_ || least == nullptr || least->next > most_) return nullptr;
    least->taken = true;
    return least;
  }

  /// Finds and scores partitions with some more numbers of clusters in a fold.
  void extend(Fold& fold, Problem& problem) {
    const int to = std::min(fold.next + clusters_at_once - 1, most_);
    for (int k = fold.next; k <= to && !ended_; ++k) {
      say();
      fold.labels = fit(problem, fold, k);
      fold.scores[at(k)] = BlockTable(list_, fold.held_out, fold.labels).score();
      ++done_;
    }
  }

  /// The points that all folds have now are on the curve, and may be the last.
  void give_back(Fold& fold) {
    const std::lock_guard lock(mutex_);
    fold.taken = false;
    if (ended_) return;
    fold.next = std::min(fold.next + clusters_at_once, most_ + 1);
    const auto least = std::min_element(
        folds_.begin(), folds_.end(), [](const Fold& a, const Fold& b) { return a.next < b.next; });
    auto known = options_.least + static_cast<int>(curve_.points.size());
    if (least->next == known) return;
    for (; known < least->next; ++known) curve_.points.push_back(point(known));
    ended_ = options_.stop_early && has_fallen(curve_.points);
  }

  [[nodiscard]] std::vector<AnswerFactor> without(const Fold& fold) const {
    std::vector<AnswerFactor> factor(list_.answers(), 1);
    for (const std::uint32_t answer : fold.held_out) factor[answer] = 0;
    return factor;
  }

  [[nodiscard]] std::size_t at(int clusters) const {
    return static_cast<std::size_t>(clusters - options_.least);
  }

  void say() {
    const auto total = static_cast<std::uint64_t>(most_ - options_.least + 1) * folds_.size();
    run_.say("predicting held-out answers", {done_, total});
  }

  Labels fit(Problem& problem, Fold& fold, int clusters) {
    RefitStart start;
    start.eigenpairs = [&]() -> const KrylovResult& {
      if (fold.eigenpairs.values.size() == 0) {
        fold.eigenpairs = leading_eigenpairs_of(problem.map(), most_, run_);
      }
      return fold.eigenpairs;
    };
    start.restarts = options_.restarts;
    start.splits = &fold.splits;
    start.random = run_.stream("held-out search", static_cast<std::uint64_t>(clusters));
    if (!fold.labels.empty() && clusters > 2) {
      const ClusterSums before(problem.map(), fold.labels, clusters - 1, run_);
      start.labels.push_back(with_one_split(before, problem.map(), fold.splits, run_));
    }
    return refitting_.method.refit(problem, clusters, start);
  }

  [[nodiscard]] HeldoutPoint point(int clusters) const {
    HeldoutPoint result;
    result.clusters = clusters;
    HeldoutScore all;
    for (const Fold& fold : folds_) {
      const HeldoutScore& part = fold.scores[at(clusters)];
      if (part.weight == 0) continue;
      result.by_fold.push_back(part.sum / part.weight);
      all.weight += part.weight;
      all.sum += part.sum;
      all.squares += part.squares;
      result.predictable += part.predictable;
      result.right += part.right;
    }
    if (all.weight == 0) return result;
    result.log_likelihood = all.sum / all.weight;
    const double mean = result.log_likelihood;
    const double variance = std::max(0.0, all.squares / all.weight - mean * mean);
    result.standard_error = std::sqrt(variance / static_cast<double>(list_.answers()));
    return result;
  }

  const ComparisonList& list_;
  const Refitting& refitting_;
  HeldoutOptions options_;
  Run& run_;
  int most_ = 0;
  std::vector<Fold> folds_;
  HeldoutCurve curve_;
  std::mutex mutex_;  // of who has taken what, and of the curve
  std::atomic<bool> ended_ = false;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace

HeldoutCurve heldout_curve(const ComparisonList& list, const Refitting& refitting,
                           const HeldoutOptions& options, Run& run) {
  return CurveBuilder(list, refitting, options, run).build();
}

int choose_clusters(const std::vector<HeldoutPoint>& points) {
  if (points.empty()) return 0;
  const HeldoutPoint& best = best_of(points);
  const double gain = best.log_likelihood - std::log(0.5);
  if (gain <= errors_to_believe * best.standard_error) return points.front().clusters;
  const auto first = std::find_if(points.begin(), points.end(), [&](const HeldoutPoint& point) {
    const double allowed =
        std::max((1 - enough_of_the_gain) * gain, error_of_difference(best, point));
    return best.log_likelihood - point.log_likelihood <= allowed;
  });
  return first->clusters;
}

}  // namespace tertium::internal
