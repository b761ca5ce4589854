#include "tertium/partition/agreement.hpp"

#include <cmath>
#include <map>
#include <unordered_map>

#include "tertium/core/error.hpp"

namespace tertium {
namespace {

double pairs(double count) { return count * (count - 1) / 2; }

/// -x ln x with its limit 0 at 0.
double entropy_term(double x) { return x > 0 ? -x * std::log(x) : 0; }

}  // namespace

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
  // Both indices are 0/0 when both labelings are trivial in the same way: then they are identical.
  const double expected = result.items > 1 ? same_a * same_b / pairs(total) : 0;
  const double largest = (same_a + same_b) / 2;
  result.adjusted_rand = largest > expected ? (same_both - expected) / (largest - expected) : 1;
  const double mutual = entropy_a + entropy_b - entropy_both;
  const double mean_entropy = (entropy_a + entropy_b) / 2;
  result.mutual_information = mean_entropy > 0 ? std::max(0.0, mutual) / mean_entropy : 1;
  return result;
}

}  // namespace tertium
