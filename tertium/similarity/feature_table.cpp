#include "tertium/similarity/feature_table.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <tuple>

namespace tertium::internal {
namespace {

/// Rows that a thread takes at once: few, as later ones have more products.
constexpr std::size_t rows_at_once = 8;
/// A row with more entries than one in so many of its places is looked through, not sorted.
constexpr std::size_t sparse_share = 8;

}  // namespace

void FeatureTable::gather(const std::vector<std::uint64_t>& group_start, Run& run) {
  std::vector<Group> groups(items_);
  std::atomic<std::size_t> next = 0;
  run.workers(run.threads(), [&](int) {
    for (std::size_t g = next++; g < groups.size(); g = next++) {
      run.check();
      groups[g] = gather_group(
          std::span(entries_).subspan(group_start[g], group_start[g + 1] - group_start[g]));
    }
  });
  entries_ = {};
  list_by_item(groups);
}

FeatureTable::Group FeatureTable::gather_group(std::span<Entry> entries) {
  const auto order = [](const Entry& a, const Entry& b) {
    return std::tie(a.place, a.item) < std::tie(b.place, b.item);
  };
  std::sort(entries.begin(), entries.end(), order);
  Group group;
  std::uint32_t smaller = 0;
  for (std::size_t at = 0; at < entries.size();) {
    const Entry& first = entries[at];
    if (at > 0 && entries[at - 1].place != first.place) smaller = 0;
    WideInteger said_for = 0;
    WideInteger said_against = 0;
    const std::size_t begin = at;
    for (; at < entries.size() && !order(entries[begin], entries[at]); ++at) {
      (entries[at].value > 0 ? said_for : said_against) += entries[at].value;
    }
    group.said.push_back({static_cast<std::int64_t>(said_for + said_against), first.item});
    group.smaller.push_back(smaller++);
    group.evidence.push_back(said_for * said_for + said_against * said_against);
  }
  return group;
}

void FeatureTable::list_by_item(const std::vector<Group>& groups) {
  item_start_.assign(items_ + 1, 0);
  evidence_.assign(items_, 0);
  for (const Group& group : groups) {
    for (const Said& said : group.said) ++item_start_[said.item + 1];
  }
  std::partial_sum(item_start_.begin(), item_start_.end(), item_start_.begin());
  said_.reserve(item_start_.back());
  places_.resize(item_start_.back());
  std::vector<std::uint64_t> next = item_start_;
  for (const Group& group : groups) {
    for (std::size_t s = 0; s < group.said.size(); ++s) {
      const std::uint32_t item = group.said[s].item;
      evidence_[item] += group.evidence[s];
      places_[next[item]++] = {said_.size(), group.smaller[s]};
      said_.push_back(group.said[s]);
    }
  }
}

bool FeatureTable::is_narrow() const {
  // |<Phi_i, Phi_j>| and all parts of it are at most the larger of the evidence of i and j.
  return std::ranges::all_of(evidence_, [](WideInteger evidence) {
    return evidence <= std::numeric_limits<std::int64_t>::max();
  });
}

template <class Integer>
FeatureProducts<Integer> FeatureTable::products(Run& run) const {
  struct Row {
    std::vector<std::uint32_t> column;
    std::vector<Integer> value;
  };
  std::vector<Row> rows(items_);
  std::atomic<std::size_t> next = 0;
  run.workers(run.threads(), [&](int) {
    std::vector<Integer> sums(items_, 0);
    std::vector<std::uint32_t> touched;
    const auto multiply = [&](std::size_t item) {
      touched.clear();
      for (std::uint64_t p = item_start_[item]; p < item_start_[item + 1]; ++p) {
        const auto [at, smaller] = places_[p];
        const Integer own = said_[at].value;
        for (std::uint64_t other = at - smaller; other < at; ++other) {
          Integer& sum = sums[said_[other].item];
          if (sum == 0) touched.push_back(said_[other].item);
          sum += own * said_[other].value;
        }
      }
      Row& row = rows[item];
      const auto take = [&](std::uint32_t column) {
        if (sums[column] == 0) return;  // also if it was touched twice
        row.column.push_back(column);
        row.value.push_back(sums[column]);
        sums[column] = 0;
      };
      if (touched.size() < item / sparse_share) {
        std::sort(touched.begin(), touched.end());
        for (const std::uint32_t column : touched) take(column);
      } else {
        for (std::uint32_t column = 0; column < item; ++column) take(column);
      }
    };
    for (std::size_t from = next.fetch_add(rows_at_once); from < items_;
         from = next.fetch_add(rows_at_once)) {
      run.check();
      for (std::size_t i = from; i < std::min(from + rows_at_once, items_); ++i) multiply(i);
    }
  });
  FeatureProducts<Integer> products;
  products.row_start.push_back(0);
  for (const Row& row : rows) {
    products.column.insert(products.column.end(), row.column.begin(), row.column.end());
    products.value.insert(products.value.end(), row.value.begin(), row.value.end());
    products.row_start.push_back(products.column.size());
  }
  for (const WideInteger evidence : evidence_) {
    products.evidence.push_back(static_cast<Integer>(evidence));
  }
  return products;
}

template FeatureProducts<std::int64_t> FeatureTable::products(Run& run) const;
template FeatureProducts<WideInteger> FeatureTable::products(Run& run) const;

}  // namespace tertium::internal
