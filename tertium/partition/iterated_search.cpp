#include "tertium/partition/iterated_search.hpp"

#include <algorithm>
#include <cmath>

#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {
namespace {

// Chosen on 56 programs of 26 to 100 items about people's answers, 2 to 8 clusters, where it finds
// the best partition known in some tens of milliseconds; not measured at half and double.

constexpr Eigen::Index most_items = 400;
/// Values that differ by less are met again: sums of quotients depend on their order.
constexpr double same_value = 1e-10;
/// Of the starts. With none at random the search stays where it began; with all, it never looks
/// near the best.
constexpr double random_share = 0.3;
/// A kick moves up to one item in so many.
constexpr std::uint64_t kick_share = 4;
constexpr std::uint64_t smallest_kick = 2;

/// A partition and its sums as plain numbers, for moves of single items: the sum of S from item i
/// to cluster l is sums[i * k + l]. They are exact below 2^53, and nearly so beyond.
class MovingPartition {
 public:
  MovingPartition(const Eigen::MatrixXd& similarity, int clusters)
      : similarity_(&similarity),
        items_(static_cast<std::size_t>(similarity.rows())),
        clusters_(static_cast<std::size_t>(clusters)),
        inside_(clusters_),
        sizes_(clusters_),
        sums_(items_ * clusters_) {}

  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] std::uint64_t work() const { return work_; }
  [[nodiscard]] double value() const {
    double value = 0;
    for (std::size_t a = 0; a < clusters_; ++a) value += inside_[a] / sizes_[a];
    return value;
  }

  void set(Labels labels) {
    labels_ = std::move(labels);
    std::fill(sizes_.begin(), sizes_.end(), 0.0);
    std::fill(inside_.begin(), inside_.end(), 0.0);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t i = 0; i < items_; ++i) {
      const auto a = static_cast<std::size_t>(labels_[i]);
      ++sizes_[a];
      const double* row = row_of(i);
      for (std::size_t j = 0; j < items_; ++j) sums_[j * clusters_ + a] += row[j];
    }
    for (std::size_t i = 0; i < items_; ++i) {
      const auto a = static_cast<std::size_t>(labels_[i]);
      inside_[a] += sums_[i * clusters_ + a];
    }
    work_ += items_ * items_;
  }

  /// Becomes like the other, but for the work that was done.
  void take(const MovingPartition& other) {
    labels_ = other.labels_;
    inside_ = other.inside_;
    sizes_ = other.sizes_;
    sums_ = other.sums_;
    work_ += items_ * clusters_;
  }

  /// Random labels, every cluster used.
  void scatter(Random& random) {
    Labels labels(items_);
    for (auto& label : labels) label = static_cast<std::int32_t>(random.below(clusters_));
    std::vector<std::size_t> sizes(clusters_, 0);
    for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
    for (std::size_t a = 0; a < clusters_; ++a) {
      while (sizes[a] == 0) {
        std::int32_t& label = labels[random.below(items_)];
        if (sizes[static_cast<std::size_t>(label)] < 2) continue;
        --sizes[static_cast<std::size_t>(label)];
        label = static_cast<std::int32_t>(a);
        ++sizes[a];
      }
    }
    set(std::move(labels));
  }

  void kick(Random& random) {
    const std::uint64_t most = std::max<std::uint64_t>(items_ / kick_share, smallest_kick);
    const std::uint64_t count = smallest_kick + random.below(most - smallest_kick + 1);
    for (std::uint64_t moved = 0; moved < count; ++moved) {
      const std::size_t item = random.below(items_);
      const std::size_t cluster = random.below(clusters_);
      if (sizes_[own(item)] > 1 && own(item) != cluster) move(item, cluster);
    }
  }

  /// Moves items one by one, each to where f gains most, until none can gain.
  void climb() {
    const double least = smallest_gain * (1 + std::abs(value()));
    std::size_t still = 0;  // items in a row that stayed
    for (std::size_t i = 0; still < items_; i = i + 1 == items_ ? 0 : i + 1) {
      const std::size_t to = best_cluster_for(i, least);
      work_ += clusters_;
      if (to == own(i)) {
        ++still;
      } else {
        move(i, to);
        still = 0;
      }
    }
  }

 private:
  [[nodiscard]] std::size_t own(std::size_t item) const {
    return static_cast<std::size_t>(labels_[item]);
  }
  [[nodiscard]] const double* row_of(std::size_t item) const {
    return similarity_->data() + item * items_;
  }

  [[nodiscard]] std::size_t best_cluster_for(std::size_t item, double least) const {
    const std::size_t a = own(item);
    if (sizes_[a] < 2) return a;
    const double* sums = sums_.data() + item * clusters_;
    const double leaving = (inside_[a] - 2 * sums[a]) / (sizes_[a] - 1) - inside_[a] / sizes_[a];
    std::size_t best = a;
    double best_gain = least;
    for (std::size_t b = 0; b < clusters_; ++b) {
      if (b == a) continue;
      const double gain =
          (inside_[b] + 2 * sums[b]) / (sizes_[b] + 1) - inside_[b] / sizes_[b] + leaving;
      if (gain > best_gain) {
        best = b;
        best_gain = gain;
      }
    }
    return best;
  }

  void move(std::size_t item, std::size_t b) {
    const std::size_t a = own(item);
    inside_[a] -= 2 * sums_[item * clusters_ + a];
    inside_[b] += 2 * sums_[item * clusters_ + b];
    --sizes_[a];
    ++sizes_[b];
    labels_[item] = static_cast<std::int32_t>(b);
    const double* row = row_of(item);
    for (std::size_t j = 0; j < items_; ++j) {
      sums_[j * clusters_ + a] -= row[j];
      sums_[j * clusters_ + b] += row[j];
    }
    work_ += items_;
  }

  const Eigen::MatrixXd* similarity_;  // never null; integers
  std::size_t items_;
  std::size_t clusters_;
  Labels labels_;
  std::vector<double> inside_;
  std::vector<double> sizes_;
  std::vector<double> sums_;
  std::uint64_t work_ = 0;
};

Eigen::MatrixXd integers_of(const SparseMap& similarity) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(similarity.size(), similarity.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(similarity.size()); ++i) {
    similarity.visit_row(i, [&](std::uint32_t j, std::int64_t value) {
      matrix(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) =
          static_cast<double>(value);
    });
  }
  return matrix;
}

/// The labels as all others are reported, with their exact value.
FoundPartition found_with(const SparseMap& similarity, const Labels& labels, int clusters,
                          Run& run) {
  const Labels ordered = in_order_of_size(labels);
  const ClusterSums sums(similarity, ordered, clusters, run);
  return {ordered, clusters, sums.value() / similarity.denominator()};
}

}  // namespace

bool is_small(const SparseMap& similarity) { return similarity.size() <= most_items; }

FoundPartition iterated_search(const SparseMap& similarity, const FoundPartition& start,
                               Random random, const IteratedOptions& options, Run& run) {
  const Eigen::MatrixXd integers = integers_of(similarity);
  MovingPartition current(integers, start.clusters);
  current.set(start.labels);
  current.climb();
  MovingPartition best = current;
  int optima = 1;
  int meetings = 0;
  while (current.work() < options.most_work &&
         (meetings < options.meetings || optima < options.fewest_optima)) {
    run.check();
    const bool at_random = random.uniform() < random_share;
    if (at_random) {
      current.scatter(random);
    } else {
      current.take(best);
      current.kick(random);
    }
    current.climb();
    ++optima;
    const double gain = current.value() - best.value();
    const double same = same_value * (1 + std::abs(best.value()));
    if (gain > same) {
      best.take(current);
      meetings = 0;
    } else if (at_random && gain > -same) {
      ++meetings;
    }
  }
  FoundPartition found = found_with(similarity, best.labels(), start.clusters, run);
  return found.value > start.value ? found : start;
}

}  // namespace tertium::internal
