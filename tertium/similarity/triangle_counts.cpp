#include "tertium/similarity/triangle_counts.hpp"

namespace tertium::internal {

void TriangleCounts::reserve_items(std::size_t count) {
  while (row_start_.size() < count) {
    const std::size_t high = row_start_.size();
    row_start_.push_back(static_cast<std::uint32_t>(high == 0 ? 0 : high * (high - 1) / 2));
  }
  const std::size_t cells = count < 2 ? 0 : count * (count - 1) / 2;
  if (counters_.size() < cells) counters_.resize(cells);
}

}  // namespace tertium::internal
