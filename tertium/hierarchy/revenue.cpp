#include "tertium/hierarchy/revenue.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "tertium/spectral/sparse_map.hpp"

namespace tertium::internal {

double revenue(const Dendrogram& tree, const IntegerTriangle& sums) {
  __extension__ using Wide = __int128;
  const std::size_t items = tree.items();
  const SparseMap map(sums);
  // A merged cluster keeps the mark of its larger side, so that only the smaller side is gone over
  // and marked: each item at most log2 n times, as its cluster doubles.
  std::vector<std::uint32_t> mark(items + tree.merges.size());
  std::iota(mark.begin(), mark.end(), 0U);
  std::vector<std::uint32_t> marked(mark.begin(),
                                    mark.begin() + static_cast<std::ptrdiff_t>(items));
  std::vector<std::vector<std::uint32_t>> members(mark.size());
  for (std::uint32_t i = 0; i < items; ++i) members[i] = {i};
  Wide earned = 0;
  for (std::size_t m = 0; m < tree.merges.size(); ++m) {
    const Merge& merge = tree.merges[m];
    auto [small, large] = std::pair(merge.first, merge.second);
    if (members[small].size() > members[large].size()) std::swap(small, large);
    Wide joined = 0;  // S of the pairs whose join this is
    for (const std::uint32_t i : members[small]) {
      map.visit_row(i, [&](std::uint32_t j, std::int64_t value) {
        if (marked[j] == mark[large]) joined += value;
      });
    }
    earned -= joined * merge.size;
    mark[items + m] = mark[large];
    for (const std::uint32_t i : members[small]) marked[i] = mark[large];
    auto& both = members[items + m] = std::move(members[large]);
    both.insert(both.end(), members[small].begin(), members[small].end());
    members[small] = {};
  }
  return static_cast<double>(earned) / map.denominator();
}

}  // namespace tertium::internal
