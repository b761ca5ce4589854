#include "tertium/partition/consensus.hpp"

#include <algorithm>
#include <cmath>

#include "tertium/core/random.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {
namespace {

/// On 36 planted sets of 60 to 200 items that few answers leave unclear, the best partition has an
/// adjusted Rand index of 0.473 on average and the consensus 0.495; with half the sweeps 0.486,
/// with twice as many 0.491. With 1000 items and more 50 sweeps are worth as much as 2000 (0.978).
constexpr int most_sweeps = 2000;
constexpr int fewest_sweeps = 50;
/// Items times clusters times sweeps, some tenths of a second: half and double give the same.
constexpr std::size_t moves_weighed = 10'000'000;
/// The first 1/5 of the sweeps do not count; 1/2 and 1/10 do as well, within 0.002.
constexpr int settling_share = 5;
/// Guards: the likelihood must stay positive and finite. No estimate came near.
constexpr double least_signal = 0.02;
constexpr double most_signal = 0.95;

/// Share of random questions that have exactly one of their two options inside a cluster.
double share_that_tells(bool quadruplets, const ClusterSums& sums) {
  const auto n = static_cast<double>(sums.labels().size());
  double inside = 0;    // the pair of a quadruplet
  double one_only = 0;  // the first option of a triplet inside, the second outside
  for (int l = 0; l < sums.clusters(); ++l) {
    const auto size = static_cast<double>(sums.size_of(l));
    const double pair = size / n * (size - 1) / (n - 1);
    inside += pair;
    one_only += pair * (n - size) / (n - 2);
  }
  return quadruplets ? 2 * inside * (1 - inside) : 2 * one_only;
}

class Sampler {
 public:
  Sampler(ClusterSums sums, double likelihood_of_unit, Random random)
      : sums_(std::move(sums)),
        likelihood_(likelihood_of_unit),
        random_(random),
        weights_(static_cast<std::size_t>(sums_.clusters())),
        often_(sums_.labels().size() * weights_.size(), 0) {}

  /// Draws every label once, given all others. Returns whether one changed.
  bool sweep(bool counts) {
    bool changed = false;
    for (std::size_t item = 0; item < sums_.labels().size(); ++item) {
      const double total = weigh(item);
      if (counts) count(item, total);
      const int cluster = drawn(total);
      changed = changed || cluster != sums_.labels()[item];
      sums_.move(item, cluster);
    }
    return changed;
  }

  /// Where every item was most often; where it is now before all others that are equal.
  [[nodiscard]] Labels most_often() const {
    Labels labels = sums_.labels();
    const std::size_t clusters = weights_.size();
    for (std::size_t item = 0; item < labels.size(); ++item) {
      const double* often = often_.data() + item * clusters;
      for (std::size_t l = 0; l < clusters; ++l) {
        if (often[l] > often[labels[item]]) labels[item] = static_cast<std::int32_t>(l);
      }
    }
    return labels;
  }

 private:
  /// Weights of all clusters for the item, relative to where it is; returns their sum. The last
  /// item of a cluster stays, so that no cluster is ever empty.
  double weigh(std::size_t item) {
    const int here = sums_.labels()[item];
    const bool last = sums_.size_of(here) == 1;
    double largest = 0;
    for (int l = 0; l < sums_.clusters(); ++l) {
      double& weight = weights_[static_cast<std::size_t>(l)];
      weight = l == here ? 0 : likelihood_ * sums_.gain_of_move(item, l);
      if (!last) largest = std::max(largest, weight);
    }
    double total = 0;
    for (int l = 0; l < sums_.clusters(); ++l) {
      double& weight = weights_[static_cast<std::size_t>(l)];
      weight = last && l != here ? 0 : std::exp(weight - largest);
      total += weight;
    }
    return total;
  }

  void count(std::size_t item, double total) {
    double* often = often_.data() + item * weights_.size();
    for (std::size_t l = 0; l < weights_.size(); ++l) often[l] += weights_[l] / total;
  }

  int drawn(double total) {
    double left = random_.uniform() * total;
    std::size_t cluster = 0;
    while (cluster + 1 < weights_.size() && left >= weights_[cluster]) left -= weights_[cluster++];
    // Rounding may leave a rest behind the last cluster that has any weight.
    while (weights_[cluster] == 0) --cluster;
    return static_cast<int>(cluster);
  }

  ClusterSums sums_;
  double likelihood_;
  Random random_;
  std::vector<double> weights_;
  std::vector<double> often_;  // per item and cluster: its probability, added up over sweeps
};

}  // namespace

double likelihood_of_value(const SimilarityMatrix& similarity, const ClusterSums& sums) {
  if (!is_additive(similarity.rule) || sums.labels().size() < 3) return 0;
  std::int64_t inside = 0;  // every pair twice
  for (int l = 0; l < sums.clusters(); ++l) inside += sums.inside(l);
  const double telling =
      share_that_tells(similarity.quadruplets, sums) * static_cast<double>(similarity.weight);
  if (!(telling > 0)) return 0;
  const double e = std::clamp(static_cast<double>(inside) / 2 / telling, least_signal, most_signal);
  return static_cast<double>(sums.labels().size()) / (4.0 * sums.clusters()) *
         std::log((1 + e) / (1 - e));
}

Labels consensus_partition(const SparseMap& similarity, const Labels& labels, int clusters,
                           double likelihood_of_value, Run& run) {
  const auto moves = labels.size() * static_cast<std::size_t>(clusters);
  const int sweeps = static_cast<int>(std::clamp<std::size_t>(
      moves_weighed / std::max<std::size_t>(moves, 1), fewest_sweeps, most_sweeps));
  const int settling = sweeps / settling_share;
  Sampler sampler(ClusterSums(similarity, labels, clusters, run),
                  likelihood_of_value / similarity.denominator(), run.stream("consensus"));
  bool changed = false;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    run.say(ProgressUpdate{static_cast<std::uint64_t>(sweep), static_cast<std::uint64_t>(sweeps)});
    changed = sampler.sweep(sweep >= settling) || changed;
    // Nobody moved while settling: the best partition leaves no doubt.
    if (sweep + 1 == settling && !changed) return labels;
  }
  return sampler.most_often();
}

}  // namespace tertium::internal
