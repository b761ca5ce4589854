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
  if (list.given.of_weight_one() && list.given.of_one_kind() &&
      list.given.kind_of(0) == QuestionKind::triplet) {
    count_triplets(list, sums);
  } else {
    list.for_each_comparison([&](std::size_t answer, const Comparison& comparison) {
      sums[cell(comparison, true)] += list.weight_of(answer);
    });
  }
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

/// The usual case, which is gone through most often: two counts in turn, so that an addition need
/// not wait for the last one to the same cell.
void BlockTable::count_triplets(const ComparisonList& list, std::vector<std::int64_t>& sums) const {
  std::vector<std::int64_t> others(sums.size(), 0);
  const std::int32_t* label = labels_->data();
  const auto count = [&](std::size_t answer, std::vector<std::int64_t>& counts) {
    const ItemId* items = list.given.items_of(answer).data();
    const auto row = static_cast<std::size_t>(label[items[0]]);
    const auto near = static_cast<std::size_t>(label[items[1]]);
    const auto far = static_cast<std::size_t>(label[items[2]]);
    ++counts[(row * kinds_ + near) * kinds_ + far];
  };
  for (std::size_t answer = 0; answer + 1 < list.answers(); answer += 2) {
    count(answer, sums);
    count(answer + 1, others);
  }
  if (list.answers() % 2 == 1) count(list.answers() - 1, sums);
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += others[c];
}

}  // namespace tertium::internal
