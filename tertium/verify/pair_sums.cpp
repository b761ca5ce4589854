#include "tertium/verify/pair_sums.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tertium::internal::verifying {
namespace {

/// Fewer numbers than this are not worth settling: 1 MB.
constexpr std::size_t smallest_batch = 1 << 16;

bool comes_before(const PairSum& a, const PairSum& b) {
  return std::tie(a.high, a.low) < std::tie(b.high, b.low);
}

}  // namespace

void PairSums::add_to_others(const PairSum& pair) {
  if (of_others_.size() >= std::max(2 * settled_, smallest_batch)) settle();
  of_others_.push_back(pair);
}

void PairSums::settle() {
  const auto fresh = of_others_.begin() + static_cast<std::ptrdiff_t>(settled_);
  std::sort(fresh, of_others_.end(), comes_before);
  std::inplace_merge(of_others_.begin(), fresh, of_others_.end(), comes_before);
  std::size_t kept = 0;
  for (std::size_t from = 0, to = 0; from < of_others_.size(); from = to) {
    PairSum total = of_others_[from];
    for (to = from + 1; to < of_others_.size() && !comes_before(total, of_others_[to]); ++to) {
      total.sum += of_others_[to].sum;
    }
    if (total.sum != 0) of_others_[kept++] = total;
  }
  of_others_.resize(kept);
  settled_ = kept;
}

std::vector<PairSum> PairSums::take() {
  std::vector<PairSum> pairs;
  for (std::uint32_t high = 1; start_of_row(high) < of_few_.size(); ++high) {
    for (std::uint32_t low = 0; low < high; ++low) {
      const std::int64_t sum = of_few_[start_of_row(high) + low];
      if (sum != 0) pairs.push_back({high, low, sum});
    }
  }
  settle();
  pairs.insert(pairs.end(), of_others_.begin(), of_others_.end());
  *this = {};
  return pairs;
}

IntegerTriangle triangle_of(PairSums& pairs, std::size_t size, std::int64_t denominator) {
  IntegerTriangle triangle;
  triangle.denominator = denominator;
  triangle.row_start.assign(size + 1, 0);
  for (const PairSum& pair : pairs.take()) {
    triangle.column.push_back(pair.low);
    triangle.value.push_back(pair.sum);
    triangle.row_start[pair.high + 1] = triangle.value.size();
  }
  // A row without pairs ends where the one before it ends.
  for (std::size_t i = 1; i <= size; ++i) {
    triangle.row_start[i] = std::max(triangle.row_start[i], triangle.row_start[i - 1]);
  }
  return triangle;
}

}  // namespace tertium::internal::verifying
