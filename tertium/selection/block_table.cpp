#include "tertium/selection/block_table.hpp"

#include <cmath>

namespace tertium::internal {

BlockTable::BlockTable(const ComparisonList& list, const std::vector<std::uint32_t>& held_out,
                       const Labels& labels)
    : list_(list), held_out_(held_out), labels_(labels), quadruplets_(list.quadruplets()) {
  const auto clusters = static_cast<std::size_t>(count_clusters(labels));
  kinds_ = quadruplets_ ? clusters * (clusters + 1) / 2 : clusters;
  tables_ = quadruplets_ ? 1 : clusters;
  std::vector<std::int64_t> sums = count_all();
  count_held_out();
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] -= held_out_weight_[c];
  const auto unit = static_cast<double>(list.pattern.denominator);
  log_probability_.resize(sums.size());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    const double chosen = static_cast<double>(sums[c]) / unit;
    const double other = static_cast<double>(sums[opposite(c)]) / unit;
    log_probability_[c] = std::log((chosen + 1) / (chosen + other + 2));
  }
}

/// The usual case, which is gone through most often.
bool BlockTable::of_plain_triplets() const {
  return list_.given.of_weight_one() && list_.given.of_one_kind() &&
         list_.given.kind_of(0) == QuestionKind::triplet;
}

/// Two counts in turn, so that an addition need not wait for the last one to the same cell.
template <class AnswerAt>
void BlockTable::count_triplets(std::size_t count, const AnswerAt& answer_at,
                                std::vector<std::int64_t>& sums) const {
  std::vector<std::int64_t> others(sums.size(), 0);
  const std::int32_t* label = labels_.data();
  const auto add_to = [&](std::vector<std::int64_t>& counts, std::size_t answer) {
    const ItemId* items = list_.given.items_of(answer).data();
    const auto row = static_cast<std::size_t>(label[items[0]]);
    const auto near = static_cast<std::size_t>(label[items[1]]);
    const auto far = static_cast<std::size_t>(label[items[2]]);
    ++counts[(row * kinds_ + near) * kinds_ + far];
  };
  for (std::size_t at = 0; at + 1 < count; at += 2) {
    add_to(sums, answer_at(at));
    add_to(others, answer_at(at + 1));
  }
  if (count % 2 == 1) add_to(sums, answer_at(count - 1));
  for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += others[c];
}

std::vector<std::int64_t> BlockTable::count_all() const {
  std::vector<std::int64_t> sums(tables_ * kinds_ * kinds_, 0);
  if (of_plain_triplets()) {
    count_triplets(
        list_.answers(), [](std::size_t at) { return at; }, sums);
    return sums;
  }
  list_.for_each_comparison([&](std::size_t answer, const Comparison& comparison) {
    sums[cell(comparison, true)] += list_.weight_of(answer);
  });
  return sums;
}

void BlockTable::count_held_out() {
  held_out_weight_.assign(tables_ * kinds_ * kinds_, 0);
  if (of_plain_triplets()) {
    count_triplets(
        held_out_.size(), [&](std::size_t at) { return held_out_[at]; }, held_out_weight_);
    return;
  }
  if (!list_.given.of_weight_one()) held_out_answers_.assign(held_out_weight_.size(), 0);
  for (const std::uint32_t answer : held_out_) {
    for (const Comparison& comparison : list_.of(answer)) {
      const std::size_t here = cell(comparison, true);
      held_out_weight_[here] += list_.weight_of(answer);
      if (!held_out_answers_.empty()) ++held_out_answers_[here];
    }
  }
}

void BlockTable::add(double likely, double opposite, double weight, std::uint64_t answers,
                     HeldoutScore& score) {
  score.weight += weight;
  score.sum += weight * likely;
  score.squares += weight * likely * likely;
  if (likely != opposite) score.predictable += answers;
  if (likely > opposite) score.right += answers;
}

HeldoutScore BlockTable::score() const {
  HeldoutScore score;
  if (list_.comparisons() == list_.answers()) {
    for (std::size_t c = 0; c < held_out_weight_.size(); ++c) {
      const std::int64_t weight = held_out_weight_[c];
      const std::uint64_t answers =
          held_out_answers_.empty() ? static_cast<std::uint64_t>(weight) : held_out_answers_[c];
      add(log_probability_[c], log_probability_[opposite(c)], static_cast<double>(weight), answers,
          score);
    }
    return score;
  }
  for (const std::uint32_t answer : held_out_) {
    double likely = 0;
    double opposite = 0;
    const Comparisons comparisons = list_.of(answer);
    for (const Comparison& comparison : comparisons) {
      likely += log_probability(comparison);
      opposite += log_opposite(comparison);
    }
    const auto count = static_cast<double>(comparisons.size());
    add(likely / count, opposite / count, static_cast<double>(list_.weight_of(answer)), 1, score);
  }
  return score;
}

}  // namespace tertium::internal
