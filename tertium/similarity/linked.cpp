#include "tertium/similarity/linked.hpp"

#include <algorithm>

#include "tertium/core/linked_groups.hpp"

namespace tertium::internal {

LinkedItems linked_items(const SimilarityMatrix& similarity) {
  const auto items = static_cast<std::uint32_t>(similarity.size());
  LinkedGroups groups(items);
  for (std::uint32_t i = 0; i < items; ++i) {
    for (std::uint64_t e = similarity.row_start[i]; e < similarity.row_start[i + 1]; ++e) {
      groups.link(i, similarity.column[e]);
    }
  }
  std::vector<std::uint32_t> sizes(items, 0);
  for (std::uint32_t i = 0; i < items; ++i) ++sizes[groups.group_of(i)];
  const auto largest = std::max_element(sizes.begin(), sizes.end());
  const auto main = static_cast<std::uint32_t>(largest - sizes.begin());
  LinkedItems linked;
  for (std::uint32_t i = 0; i < items; ++i) {
    const std::uint32_t group = groups.group_of(i);
    if (group == main) {
      linked.main.push_back(i);
    } else {
      linked.rest.push_back({i, sizes[group]});
    }
  }
  return linked;
}

SimilarityMatrix restricted(const SimilarityMatrix& similarity,
                            const std::vector<std::uint32_t>& items) {
  std::vector<std::uint32_t> row_of(similarity.size(), no_row);
  for (std::uint32_t row = 0; row < items.size(); ++row) row_of[items[row]] = row;
  SimilarityMatrix result;
  result.denominator = similarity.denominator;
  result.rule = similarity.rule;
  result.quadruplets = similarity.quadruplets;
  result.rounded = similarity.rounded;
  result.repeats = similarity.repeats;
  result.comparisons = similarity.comparisons;
  result.weight = similarity.weight;
  result.row_start.push_back(0);
  for (const std::uint32_t item : items) {
    result.items.push_back(similarity.items[item]);
    if (!similarity.mentions.empty()) result.mentions.push_back(similarity.mentions[item]);
    if (!similarity.anchors.empty()) result.anchors.push_back(similarity.anchors[item]);
    for (std::uint64_t e = similarity.row_start[item]; e < similarity.row_start[item + 1]; ++e) {
      const std::uint32_t column = row_of[similarity.column[e]];
      if (column == no_row) continue;
      result.column.push_back(column);  // items increase, so columns stay in order
      result.value.push_back(similarity.value[e]);
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

}  // namespace tertium::internal
