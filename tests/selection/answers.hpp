#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include <Eigen/Core>

#include "tertium/answers/answer.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

/// Different items out of `size`, as many as a question of this kind shows.
inline std::array<ItemId, 4> different_items(QuestionKind kind, int size, std::mt19937& random) {
  std::array<ItemId, 4> items{};
  for (std::size_t at = 0; at < items_in(kind);) {
    items[at] = static_cast<ItemId>(random() % static_cast<unsigned>(size));
    if (std::find(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(at), items[at]) ==
        items.begin() + static_cast<std::ptrdiff_t>(at)) {
      ++at;
    }
  }
  return items;
}

/// Answers about random questions that are tosses of a fair coin.
inline std::vector<Answer> random_answers(QuestionKind kind, int size, int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Answer> answers(static_cast<std::size_t>(count));
  for (Answer& answer : answers) {
    answer.kind = kind;
    answer.items = different_items(kind, size, random);
  }
  return answers;
}

/// Triplets or quadruplets about items in `clusters` groups (item i in group i mod clusters): a
/// pair inside a group is chosen over one between groups with probability `right`, else a coin
/// decides.
inline std::vector<Answer> planted_answers(QuestionKind kind, int size, int clusters, int count,
                                           unsigned seed, double right = 0.8) {
  std::vector<Answer> answers = random_answers(kind, size, count, seed);
  std::mt19937 random(seed + 1);
  std::bernoulli_distribution is_right(right);
  const auto groups = static_cast<ItemId>(clusters);
  for (Answer& answer : answers) {
    auto& items = answer.items;
    const bool quadruplet = kind == QuestionKind::quadruplet;
    const ItemId second_anchor = quadruplet ? items[2] : items[0];
    ItemId& far = quadruplet ? items[3] : items[2];
    const bool near_inside = items[0] % groups == items[1] % groups;
    const bool far_inside = second_anchor % groups == far % groups;
    if (near_inside == far_inside || near_inside == is_right(random)) continue;
    if (quadruplet) {
      std::swap(items[0], items[2]);
      std::swap(items[1], items[3]);
    } else {
      std::swap(items[1], items[2]);
    }
  }
  return answers;
}

/// The order in which a ComparisonList keeps answers.
inline std::vector<Answer> in_order_of_first_item(std::vector<Answer> answers,
                                                  const std::vector<std::uint32_t>& row_of) {
  std::stable_sort(answers.begin(), answers.end(), [&](const Answer& a, const Answer& b) {
    return row_of[a.items[0]] < row_of[b.items[0]];
  });
  return answers;
}

/// Rows in the order of the ids.
inline std::vector<std::uint32_t> same_rows(int size) {
  std::vector<std::uint32_t> rows(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint32_t>(i);
  return rows;
}

inline Labels planted_labels(int size, int clusters) {
  Labels labels(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) labels[static_cast<std::size_t>(i)] = i % clusters;
  return labels;
}

}  // namespace tertium::internal
