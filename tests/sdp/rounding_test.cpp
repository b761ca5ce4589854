#include "tertium/sdp/rounding.hpp"

#include <gtest/gtest.h>

#include "tertium/partition/search.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/sdp/feasible.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

TEST(RoundPoint, GivesAPartitionBack) {
  const Labels labels{0, 1, 2, 0, 0, 1, 1, 0, 2, 0};
  for (const Rounding rounding : {Rounding::kmeans, Rounding::spectral}) {
    tertium::Run run;
    EXPECT_EQ(round_point(partition_point(labels), 3, rounding, run), labels)
        << to_string(rounding);
  }
}

TEST(RoundPoint, FindsPlantedClustersInAnOptimumThatIsNoPartition) {
  const int items = 60;
  const Eigen::MatrixXd similarity = planted_similarity(items, 3, 6000, 1);
  SdpOptions sdp;
  sdp.search_partition = false;
  tertium::Run run;
  const SdpResult solved = solve_sdp(similarity, Clusters{3}, sdp, run);
  ASSERT_GT(solved.rank, 3);
  for (const Rounding rounding : {Rounding::kmeans, Rounding::spectral}) {
    const Labels labels = round_point(solved.point, 3, rounding, run);
    for (int i = 0; i < items; ++i) {
      EXPECT_EQ(labels[static_cast<std::size_t>(i)], labels[static_cast<std::size_t>(i % 3)])
          << to_string(rounding) << ", item " << i;
    }
  }
}

}  // namespace
}  // namespace tertium::internal
