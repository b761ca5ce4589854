#include "tertium/exact/tied_partition.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/small_similarity.hpp"
#include "tests/some_partition.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

TEST(FindTie, FindsOneIfThereIsOne) {
  tertium::Run run;
  int moves = 0;
  int exchanges = 0;
  int none = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const MatrixXd similarity = random_symmetric(6, seed, seed % 2 == 0 ? 3 : 9);
    const SparseMap map(to_similarity(similarity));
    const FoundPartition start = some_partition(map, 2 + static_cast<int>(seed % 2), run);
    const auto is_as_good = [&](const Labels& labels) {
      return std::abs(value_by_definition(similarity, labels) - start.value) < 1e-9;
    };
    const std::optional<Tie> tie = find_tie(map, start, run);
    if (tie) {
      Labels other = start.labels;
      if (tie->exchanged) {
        ++exchanges;
        std::swap(other[tie->item], other[*tie->exchanged]);
        EXPECT_EQ(other[tie->item], tie->cluster);
      } else {
        ++moves;
        other[tie->item] = tie->cluster;
      }
      EXPECT_NE(other, start.labels);
      EXPECT_TRUE(is_as_good(other)) << "seed " << seed;
      continue;
    }
    ++none;
    std::vector<int> sizes(static_cast<std::size_t>(start.clusters), 0);
    for (const auto label : start.labels) ++sizes[static_cast<std::size_t>(label)];
    for (std::size_t i = 0; i < 6; ++i) {
      for (int cluster = 0; cluster < start.clusters; ++cluster) {
        Labels other = start.labels;
        if (cluster == other[i] || sizes[static_cast<std::size_t>(other[i])] == 1) continue;
        other[i] = cluster;
        EXPECT_FALSE(is_as_good(other)) << "seed " << seed;
      }
      for (std::size_t j = 0; j < i; ++j) {
        Labels other = start.labels;
        if (other[i] == other[j]) continue;
        std::swap(other[i], other[j]);
        EXPECT_FALSE(is_as_good(other)) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(moves, 0);
  EXPECT_GT(exchanges, 0);
  EXPECT_GT(none, 0);
}

}  // namespace
}  // namespace tertium::internal
