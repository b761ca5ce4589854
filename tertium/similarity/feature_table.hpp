#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

__extension__ using WideInteger = __int128;

/// Products of items by their features: Phi Phi' below the diagonal, and the evidence of each item.
/// Rows and columns as in an IntegerTriangle, zeros left out.
template <class Integer>
struct FeatureProducts {
  std::vector<std::uint64_t> row_start;
  std::vector<std::uint32_t> column;
  std::vector<Integer> value;
  /// Per item, the sum over its features of p^2 + q^2, where p is all that was said for it and q
  /// all that was said against it: the number of answers, if each says something else.
  std::vector<Integer> evidence;
};

/// Phi, a sparse matrix of integers: what answers say about items, for (> 0) or against (< 0) each
/// of a great many features. A feature is a pair of numbers (group, place).
///
/// Memory: 16 bytes per entry, twice while it is made, and 16 more for its products.
class FeatureTable {
 public:
  /// `emit(visit)` calls visit(group, place, item, value) for all entries, the same each time it is
  /// called: group < items, and so is item. Entries for the same item and feature add up.
  template <class Emit>
  FeatureTable(std::size_t items, const Emit& emit, Run& run) : items_(items) {
    std::vector<std::uint64_t> next(items + 1, 0);
    emit([&](std::uint32_t group, std::uint32_t, std::uint32_t, std::int64_t) {
      ++next[group + 1];
    });
    for (std::size_t group = 0; group < items; ++group) next[group + 1] += next[group];
    const std::vector<std::uint64_t> group_start = next;
    entries_.resize(next.back());
    emit([&](std::uint32_t group, std::uint32_t place, std::uint32_t item, std::int64_t value) {
      entries_[next[group]++] = {value, place, item};
    });
    gather(group_start, run);
  }

  /// True if 64 bits hold all products.
  [[nodiscard]] bool is_narrow() const;

  /// Exact. `Integer` is std::int64_t, if that is enough, or WideInteger. Cost: for every feature
  /// the square of its items.
  template <class Integer>
  [[nodiscard]] FeatureProducts<Integer> products(Run& run) const;

 private:
  struct Entry {
    std::int64_t value = 0;
    std::uint32_t place = 0;
    std::uint32_t item = 0;
  };
  struct Said {
    std::int64_t value = 0;
    std::uint32_t item = 0;
  };
  /// The entries of one group, sorted and added up.
  struct Group {
    std::vector<Said> said;              // feature by feature, items increasing
    std::vector<std::uint32_t> smaller;  // for each, how many stand before it in its feature
    std::vector<WideInteger> evidence;   // for each
  };
  void gather(const std::vector<std::uint64_t>& group_start, Run& run);
  static Group gather_group(std::span<Entry> entries);
  void list_by_item(const std::vector<Group>& groups);

  /// Where in `said_` an item has a feature, and how many smaller items have it: those before.
  struct Place {
    std::uint64_t at = 0;
    std::uint32_t smaller = 0;
  };

  std::size_t items_;
  std::vector<Entry> entries_;             // only while the table is made
  std::vector<Said> said_;                 // feature by feature, items increasing
  std::vector<std::uint64_t> item_start_;  // of every item in `places_`, and the end
  std::vector<Place> places_;
  std::vector<WideInteger> evidence_;  // per item
};

/// Calls `use(products)` with the products as integers of the size that they need.
template <class Use>
auto with_products(const FeatureTable& table, Run& run, const Use& use) {
  if (table.is_narrow()) return use(table.products<std::int64_t>(run));
  return use(table.products<WideInteger>(run));
}

}  // namespace tertium::internal
