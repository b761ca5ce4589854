#include "tertium/agreement.hpp"

#include <cmath>
#include <map>
#include <unordered_map>

#include "tertium/error.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {
namespace {

double pairs(double count) { return count * (count - 1) / 2; }

/// -x ln x with its limit 0 at 0.
double entropy_term(double x) { return x > 0 ? -x * std::log(x) : 0; }

/// From the numbers of pairs that both labelings, that one, and that the other put together. 0/0
/// when both labelings are trivial in the same way: then they are identical.
double adjusted_rand(double same_both, double same_a, double same_b, double all_pairs) {
  const double expected = all_pairs > 0 ? same_a * same_b / all_pairs : 0;
  const double largest = (same_a + same_b) / 2;
  return largest > expected ? (same_both - expected) / (largest - expected) : 1;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

double adjusted_rand_index(const Labels& a, const Labels& b) {
  const auto clusters_b = static_cast<std::size_t>(count_clusters(b));
  std::vector<double> sizes_a(static_cast<std::size_t>(count_clusters(a)), 0);
  std::vector<double> sizes_b(clusters_b, 0);
  std::vector<double> overlap(sizes_a.size() * clusters_b, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto label_a = static_cast<std::size_t>(a[i]);
    const auto label_b = static_cast<std::size_t>(b[i]);
    ++sizes_a[label_a];
    ++sizes_b[label_b];
    ++overlap[label_a * clusters_b + label_b];
  }
  const auto same = [](const std::vector<double>& counts) {
    double sum = 0;
    for (const double count : counts) sum += pairs(count);
    return sum;
  };
  return adjusted_rand(same(overlap), same(sizes_a), same(sizes_b),
                       pairs(static_cast<double>(a.size())));
}

Agreement compare_labelings(const Labeling& a, const Labeling& b) {
  std::unordered_map<std::string, const std::string*> labels_b;
  for (std::size_t i = 0; i < b.items.size(); ++i) labels_b.emplace(b.items[i], &b.labels[i]);

  Agreement result;
  std::map<std::string, double> sizes_a;
  std::map<std::string, double> sizes_b;
  std::map<std::pair<std::string, std::string>, double> overlap;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    const auto found = labels_b.find(a.items[i]);
    if (found == labels_b.end()) {
      result.only_in_a.push_back(a.items[i]);
      continue;
    }
    const std::string& label_b = *found->second;
    ++sizes_a[a.labels[i]];
    ++sizes_b[label_b];
    ++overlap[{a.labels[i], label_b}];
    ++result.items;
    labels_b.erase(found);
  }
  for (const std::string& item : b.items) {
    if (labels_b.contains(item)) result.only_in_b.push_back(item);
  }
  if (result.items == 0) {
    throw InputError({{},
                      "no item that both files label",
                      "two labelings of the same items",
                      "Name the columns with --item-a, --item-b, --label-a, --label-b"});
  }
  result.clusters_a = sizes_a.size();
  result.clusters_b = sizes_b.size();

  const auto total = static_cast<double>(result.items);
  double same_both = 0;
  double entropy_both = 0;
  for (const auto& [labels, count] : overlap) {
    same_both += pairs(count);
    entropy_both += entropy_term(count / total);
  }
  double same_a = 0;
  double entropy_a = 0;
  for (const auto& [label, count] : sizes_a) {
    same_a += pairs(count);
    entropy_a += entropy_term(count / total);
  }
  double same_b = 0;
  double entropy_b = 0;
  for (const auto& [label, count] : sizes_b) {
    same_b += pairs(count);
    entropy_b += entropy_term(count / total);
  }
  result.adjusted_rand = adjusted_rand(same_both, same_a, same_b, pairs(total));
  const double mutual = entropy_a + entropy_b - entropy_both;
  const double mean_entropy = (entropy_a + entropy_b) / 2;
  // 0/0 in the same case.
  result.mutual_information = mean_entropy > 0 ? std::max(0.0, mutual) / mean_entropy : 1;
  return result;
}

}  // namespace tertium
