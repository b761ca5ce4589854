#include "tertium/exact/tied_partition.hpp"

#include <vector>

#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {
namespace {

__extension__ using Wide = __int128;

/// Whether the value stays when the sums inside two clusters change by these, and one item moves
/// from the first to the second, or none: products of fractions, over a common denominator.
bool stays(const ClusterSums& sums, int a, int b, std::int64_t change_a, std::int64_t change_b,
           int moved) {
  const Wide size_a = sums.size_of(a);
  const Wide size_b = sums.size_of(b);
  const Wide new_a = size_a - moved;
  const Wide new_b = size_b + moved;
  const Wide before = Wide{sums.inside(a)} * size_b + Wide{sums.inside(b)} * size_a;
  const Wide after =
      (Wide{sums.inside(a)} + change_a) * new_b + (Wide{sums.inside(b)} + change_b) * new_a;
  return before * new_a * new_b == after * size_a * size_b;
}

std::optional<Tie> find_move(const ClusterSums& sums) {
  for (std::size_t i = 0; i < sums.labels().size(); ++i) {
    const int own = sums.labels()[i];
    if (sums.size_of(own) == 1) continue;
    for (int other = 0; other < sums.clusters(); ++other) {
      if (other == own) continue;
      const std::int64_t out = -2 * sums.to_cluster(i, own);
      if (stays(sums, own, other, out, 2 * sums.to_cluster(i, other), 1)) return Tie{i, {}, other};
    }
  }
  return std::nullopt;
}

std::optional<Tie> find_exchange(const SparseMap& similarity, const ClusterSums& sums) {
  std::vector<std::int64_t> between(sums.labels().size());
  for (std::size_t i = 0; i < sums.labels().size(); ++i) {
    between.assign(between.size(), 0);
    similarity.visit_row(i, [&](std::uint32_t j, std::int64_t value) { between[j] = value; });
    const int a = sums.labels()[i];
    for (std::size_t j = 0; j < i; ++j) {
      const int b = sums.labels()[j];
      if (a == b || (sums.size_of(a) == 1 && sums.size_of(b) == 1)) continue;
      const std::int64_t in_a = sums.to_cluster(j, a) - between[j] - sums.to_cluster(i, a);
      const std::int64_t in_b = sums.to_cluster(i, b) - between[j] - sums.to_cluster(j, b);
      if (stays(sums, a, b, 2 * in_a, 2 * in_b, 0)) return Tie{i, j, b};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Tie> find_tie(const SparseMap& similarity, const FoundPartition& partition,
                            Run& run) {
  const ClusterSums sums(similarity, partition.labels, partition.clusters, run);
  const std::optional<Tie> move = find_move(sums);
  return move ? move : find_exchange(similarity, sums);
}

}  // namespace tertium::internal
