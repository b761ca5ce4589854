#include "tertium/confidence/bootstrap.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "tertium/agreement.hpp"
#include "tertium/confidence/matching.hpp"
#include "tertium/confidence/poisson_ones.hpp"
#include "tertium/core/random.hpp"
#include "tertium/problem/method.hpp"

namespace tertium::internal {
namespace {

// Measured on eight sets of 30 to 200 items, some clear and some near the threshold: by the
// stability and by the confidence of items, which differ by 0.005 on average for chance alone.

/// A share of r resamples has a standard error of at most 0.5 / sqrt(r): 0.016 for 1000, 0.05 for
/// 100, 0.11 for 20. Against 1000 resamples, the confidence of an item differs by 0.006 on average
/// with 500, by 0.004 with 2000 and by 0.017 with 100.
constexpr int most_resamples = 1000;
constexpr int least_resamples = 100;
/// By the model of resamples_for, a hundred resamples with answers about all pairs and 7 clusters
/// take 30 s of one core with 2000 items, 7 s with half and 2 minutes with double.
constexpr std::size_t items_for_all_resamples = 2000;
constexpr int least_resamples_beyond = 20;

/// Block Lanczos steps: for all answers, and for a resample that begins with their result. The
/// first matters little; with 2 steps for a resample it stays too near to its start, by 0.03 of
/// stability near the threshold; with 8 it takes 1.5 times as long for 0.01.
constexpr int krylov_steps = 16;
constexpr int warm_krylov_steps = 4;
/// Random ones, for what a resample has and S has not: half and double within chance, double at 1.4
/// times the time.
constexpr int spare_vectors = 4;
/// Of k-means: plain and weighted eigenvectors. With one, stability near the threshold comes out
/// larger by 0.05, with 4 smaller by 0.03, in 1.3 times the time; clear clusters stay as they are.
constexpr int restarts = 2;

bool at_least_two_named(const ComparisonList& list) {
  ParticipantId first = 0;
  for (std::size_t answer = 0; answer < list.answers(); ++answer) {
    const ParticipantId participant = list.participant_of(answer);
    if (participant == 0) continue;
    if (first != 0 && participant != first) return true;
    first = participant;
  }
  return false;
}

class Resampler {
 public:
  Resampler(const ComparisonList& list, const Labels& reference, const Refitting& refitting,
            Run& run)
      : list_(list),
        reference_(reference),
        refitting_(refitting),
        run_(run),
        clusters_(count_clusters(reference)),
        by_participant_(at_least_two_named(list)) {
    for (std::size_t answer = 0; by_participant_ && answer < list.answers(); ++answer) {
      participants_ = std::max<std::size_t>(participants_, 1 + list.participant_of(answer));
    }
  }

  [[nodiscard]] bool by_participant() const { return by_participant_; }

  std::vector<Labels> run(int resamples) {
    std::vector<Labels> found(static_cast<std::size_t>(resamples), reference_);
    if (!searches()) return found;
    std::atomic<std::size_t> next = 0;
    run_.workers(std::min(run_.threads(), resamples), [&](int) {
      Reweighting reweighting(list_, refitting_.rule);
      Problem problem(reweighting.all(run_), refitting_.method, refitting_.options, run_);
      for (std::size_t r = next++; r < found.size(); r = next++) {
        run_.say("resampling the answers", {done_, found.size()});
        reweighting.apply(draw(r), problem);
        found[r] = matched_to(reference_, refit(problem, r), clusters_);
        ++done_;
      }
    });
    return found;
  }

 private:
  /// With one cluster, or only clusters of one item, there is nothing that could change.
  [[nodiscard]] bool searches() const {
    return clusters_ > 1 && static_cast<std::size_t>(clusters_) < list_.items();
  }

  [[nodiscard]] std::vector<AnswerFactor> draw(std::size_t resample) const {
    PoissonOnes poisson(run_.stream("resample", resample));
    const auto next = [&] { return static_cast<AnswerFactor>(poisson.next()); };
    std::vector<AnswerFactor> of_participant(participants_);
    for (AnswerFactor& count : of_participant) count = next();
    std::vector<AnswerFactor> factor(list_.answers());
    if (!by_participant_) {
      for (AnswerFactor& count : factor) count = next();
      return factor;
    }
    for (std::size_t answer = 0; answer < factor.size(); ++answer) {
      const ParticipantId participant = list_.participant_of(answer);
      factor[answer] = participant != 0 ? of_participant[participant] : next();
    }
    return factor;
  }

  [[nodiscard]] KrylovResult leading(const SparseMap& map, const Eigen::MatrixXd& start, int steps,
                                     std::uint64_t resample) const {
    KrylovOptions options;
    options.block = std::min(clusters_ + spare_vectors, static_cast<int>(list_.items()));
    options.most_steps = steps;
    options.random = run_.stream("eigenvectors of a resample", resample);
    options.start = start;
    return leading_eigenpairs(map, clusters_, options, run_);
  }

  /// Of S of all answers: found by the first who asks.
  const Eigen::MatrixXd& vectors_of_all() {
    const std::scoped_lock lock(mutex_);
    if (of_all_.cols() == 0) {
      Reweighting reweighting(list_, refitting_.rule);
      of_all_ = leading(SparseMap(reweighting.all(run_)), {}, krylov_steps, 0).vectors;
    }
    return of_all_;
  }

  Labels refit(Problem& problem, std::size_t resample) {
    KrylovResult eigenpairs;
    RefitStart start;
    start.eigenpairs = [&]() -> const KrylovResult& {
      eigenpairs = leading(problem.map(), vectors_of_all(), warm_krylov_steps, resample + 1);
      return eigenpairs;
    };
    start.labels = {reference_};
    start.restarts = restarts;
    start.whole_clusters = false;
    start.random = run_.stream("search of a resample", resample);
    return refitting_.method.refit(problem, clusters_, start);
  }

  const ComparisonList& list_;
  const Labels& reference_;
  const Refitting& refitting_;
  Run& run_;
  int clusters_;
  bool by_participant_;
  std::size_t participants_ = 0;  // one more than the largest id
  Eigen::MatrixXd of_all_;        // leading eigenvectors of S of all answers
  std::mutex mutex_;              // of these
  std::atomic<std::uint64_t> done_ = 0;
};

/// Sums over resamples of the pairs (i in a, j in b) that are together, from how many items of a
/// are in each cluster.
std::vector<double> pairs_between(const Labels& reference, const std::vector<Labels>& found,
                                  std::size_t clusters) {
  std::vector<double> sums(clusters * clusters, 0);
  std::vector<double> counts(clusters * clusters);
  for (const Labels& labels : found) {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      ++counts[static_cast<std::size_t>(reference[i]) * clusters +
               static_cast<std::size_t>(labels[i])];
    }
    for (std::size_t a = 0; a < clusters; ++a) {
      for (std::size_t b = 0; b < clusters; ++b) {
        for (std::size_t l = 0; l < clusters; ++l) {
          const double others = counts[b * clusters + l] - (a == b ? 1 : 0);
          sums[a * clusters + b] += counts[a * clusters + l] * others;
        }
      }
    }
  }
  return sums;
}

std::vector<double> mean_together(const Labels& reference, const std::vector<Labels>& found) {
  const auto clusters = static_cast<std::size_t>(count_clusters(reference));
  std::vector<double> sizes(clusters, 0);
  for (const std::int32_t label : reference) ++sizes[static_cast<std::size_t>(label)];
  std::vector<double> mean = pairs_between(reference, found, clusters);
  for (std::size_t a = 0; a < clusters; ++a) {
    for (std::size_t b = 0; b < clusters; ++b) {
      const double pairs = sizes[a] * (sizes[b] - (a == b ? 1 : 0));
      double& share = mean[a * clusters + b];
      share = pairs > 0 ? share / (pairs * static_cast<double>(found.size())) : 1;
    }
  }
  return mean;
}

}  // namespace

BootstrapResult bootstrap(const ComparisonList& list, const Labels& labels,
                          const Refitting& refitting, const BootstrapOptions& options, Run& run) {
  BootstrapResult result;
  result.resamples = options.resamples > 0
                         ? options.resamples
                         : resamples_for(list, count_clusters(labels), refitting, options.seconds);
  Resampler resampler(list, labels, refitting, run);
  result.over_participants = resampler.by_participant();
  result.labels = resampler.run(result.resamples);
  result.confidence.assign(labels.size(), 0);
  for (const Labels& found : result.labels) {
    result.stability += adjusted_rand_index(labels, found);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (found[i] == labels[i]) ++result.confidence[i];
    }
  }
  result.stability /= result.resamples;
  for (double& share : result.confidence) share /= result.resamples;
  result.together = mean_together(labels, result.labels);
  return result;
}

int resamples_for(const ComparisonList& list, int clusters, const Refitting& refitting,
                  double seconds) {
  if (refitting.method.slow) return least_resamples_beyond;
  // Rough figures, not fitted: nanoseconds for an answer that is drawn and added (or, for a rule
  // that is more than sums, multiplied with others), for an entry of S
  // in a product with one vector or in a sweep over all items, and for a step of k-means on an
  // item.
  const bool sums = refitting.rule.additive;
  const double per_answer = sums ? 6 : 300;
  constexpr double per_product = 1;
  constexpr double sweeps = 30;
  constexpr double kmeans_steps = 40;
  const auto entries = 2 * static_cast<double>(list.pattern.column.size());
  const double products = warm_krylov_steps * (clusters + spare_vectors);
  const double nanoseconds = per_answer * static_cast<double>(list.comparisons()) +
                             per_product * entries * (products + sweeps) +
                             kmeans_steps * clusters * clusters * static_cast<double>(list.items());
  const int least =
      sums && list.items() <= items_for_all_resamples ? least_resamples : least_resamples_beyond;
  const double affordable = seconds * 1e9 / std::max(1.0, nanoseconds);
  return static_cast<int>(std::clamp<double>(affordable, least, most_resamples));
}

double together(const BootstrapResult& result, std::size_t i, std::size_t j) {
  std::size_t count = 0;
  for (const Labels& labels : result.labels) count += labels[i] == labels[j] ? 1U : 0U;
  return static_cast<double>(count) / static_cast<double>(result.labels.size());
}

std::vector<std::uint16_t> pairs_together(const std::vector<Labels>& resampled) {
  const std::size_t items = resampled.empty() ? 0 : resampled.front().size();
  std::vector<std::uint16_t> counts(items < 2 ? 0 : items * (items - 1) / 2, 0);
  for (const Labels& labels : resampled) {
    std::size_t at = 0;
    for (std::size_t i = 1; i < items; ++i) {
      for (std::size_t j = 0; j < i; ++j, ++at) {
        counts[at] = static_cast<std::uint16_t>(counts[at] + (labels[i] == labels[j] ? 1 : 0));
      }
    }
  }
  return counts;
}

}  // namespace tertium::internal
