#include "tertium/partition/cluster_sums.hpp"

#include <algorithm>
#include <numeric>

namespace tertium::internal {
namespace {

double ratio(std::int64_t sum, std::int64_t size) {
  return size == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(size);
}

}  // namespace

Labels in_order_of_size(const Labels& labels) {
  const auto clusters = static_cast<std::size_t>(count_clusters(labels));
  std::vector<std::size_t> sizes(clusters, 0);
  std::vector<std::size_t> first(clusters, labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto cluster = static_cast<std::size_t>(labels[i]);
    ++sizes[cluster];
    first[cluster] = std::min(first[cluster], i);
  }
  std::vector<std::size_t> order(clusters);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : first[a] < first[b];
  });
  std::vector<std::int32_t> rank(clusters);
  for (std::size_t r = 0; r < clusters; ++r) rank[order[r]] = static_cast<std::int32_t>(r);
  Labels result(labels.size());
  std::transform(labels.begin(), labels.end(), result.begin(),
                 [&](std::int32_t label) { return rank[static_cast<std::size_t>(label)]; });
  return result;
}

int count_clusters(const Labels& labels) {
  return labels.empty() ? 0 : 1 + *std::max_element(labels.begin(), labels.end());
}

ClusterSums::ClusterSums(const SparseMap& similarity, Labels labels, int clusters, Run& run)
    : similarity_(&similarity), run_(&run), labels_(std::move(labels)), sizes_(at(clusters), 0) {
  count();
}

void ClusterSums::count() {
  const std::size_t clusters = sizes_.size();
  item_sums_ = similarity_->sums_to_clusters(labels_, clusters, *run_);
  std::fill(sizes_.begin(), sizes_.end(), 0);
  inside_.assign(clusters, 0);
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    ++sizes_[at(labels_[i])];
    inside_[at(labels_[i])] += to_cluster(i, labels_[i]);
  }
}

double ClusterSums::value() const {
  double value = 0;
  for (std::size_t a = 0; a < sizes_.size(); ++a) value += ratio(inside_[a], sizes_[a]);
  return value;
}

double ClusterSums::gain_of_move(std::size_t item, int cluster) const {
  const int from = labels_[item];
  if (from == cluster) return 0;
  const std::int64_t left = inside(from) - 2 * to_cluster(item, from);
  const std::int64_t joined = inside(cluster) + 2 * to_cluster(item, cluster);
  return ratio(left, size_of(from) - 1) - ratio(inside(from), size_of(from)) +
         ratio(joined, size_of(cluster) + 1) - ratio(inside(cluster), size_of(cluster));
}

double ClusterSums::gain_of_merge(int a, int b, std::int64_t between) const {
  return ratio(inside(a) + inside(b) + 2 * between, size_of(a) + size_of(b)) -
         ratio(inside(a), size_of(a)) - ratio(inside(b), size_of(b));
}

std::vector<std::int64_t> ClusterSums::between() const {
  const std::size_t clusters = sizes_.size();
  std::vector<std::int64_t> sums(clusters * clusters, 0);
  for (std::size_t l = 0; l < clusters; ++l) {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      sums[at(labels_[i]) * clusters + l] += item_sums_[l * labels_.size() + i];
    }
  }
  return sums;
}

void ClusterSums::move(std::size_t item, int cluster) {
  const int from = labels_[item];
  if (from == cluster) return;
  inside_[at(from)] -= 2 * to_cluster(item, from);
  inside_[at(cluster)] += 2 * to_cluster(item, cluster);
  --sizes_[at(from)];
  ++sizes_[at(cluster)];
  labels_[item] = cluster;
  similarity_->move_row(item, item_sums_.data() + at(from) * labels_.size(),
                        item_sums_.data() + at(cluster) * labels_.size());
}

void ClusterSums::relabel(const Labels& labels) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) changed += labels[i] != labels_[i] ? 1U : 0U;
  if (2 * changed > labels.size()) {
    labels_ = labels;
    count();
    return;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) move(i, labels[i]);
}

}  // namespace tertium::internal
