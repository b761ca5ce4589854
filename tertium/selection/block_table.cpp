#include "tertium/selection/block_table.hpp"

#include <cmath>

namespace tertium::internal {

BlockTable::BlockTable(const ComparisonList& list, const std::vector<std::uint32_t>& held_out,
                       const Labels& labels)
    : labels_(&labels), quadruplets_(list.quadruplets()) {
  const auto clusters = static_cast<std::size_t>(count_clusters(labels));
  kinds_ = quadruplets_ ? clusters * (clusters + 1) / 2 : clusters;
  const std::size_t tables = quadruplets_ ? 1 : clusters;
  std::vector<std::int64_t> sums(tables * kinds_ * kinds_, 0);
  list.for_each_comparison([&](std::size_t answer, const Comparison& comparison) {
    sums[cell(comparison, true)] += list.weight_of(answer);
  });
  for (const std::uint32_t answer : held_out) {
    for (const Comparison& comparison : list.of(answer)) {
      sums[cell(comparison, true)] -= list.weight_of(answer);
    }
  }
  const auto unit = static_cast<double>(list.pattern.denominator);
  log_probability_.resize(sums.size());
  for (std::size_t table = 0; table < tables; ++table) {
    for (std::size_t first = 0; first < kinds_; ++first) {
      for (std::size_t second = 0; second < kinds_; ++second) {
        const std::size_t here = (table * kinds_ + first) * kinds_ + second;
        const std::size_t there = (table * kinds_ + second) * kinds_ + first;
        const double chosen = static_cast<double>(sums[here]) / unit;
        const double other = static_cast<double>(sums[there]) / unit;
        log_probability_[here] = std::log((chosen + 1) / (chosen + other + 2));
      }
    }
  }
}

}  // namespace tertium::internal
