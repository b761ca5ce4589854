#include "tertium/partition/iterated_search.hpp"

#include <gtest/gtest.h>

#include "tertium/partition/cluster_sums.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_similarity.hpp"
#include "tests/some_partition.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

TEST(IteratedSearch, FindsWhatTryingAllFinds) {
  tertium::Run run;
  for (unsigned seed = 1; seed <= (sanitized ? 3U : 30U); ++seed) {
    const int size = 8 + static_cast<int>(seed % 2);
    const MatrixXd similarity = random_symmetric(size, 100 + seed);
    const SparseMap map(to_similarity(similarity));
    for (const int clusters : {2, 3, 4}) {
      const FoundPartition start = some_partition(map, clusters, run);
      const FoundPartition found = iterated_search(map, start, run.stream("test", seed), {}, run);
      EXPECT_NEAR(found.value, best_partition(similarity, clusters, 0), 1e-9);
      EXPECT_NEAR(found.value, value_by_definition(similarity, found.labels), 1e-9);
      EXPECT_EQ(count_clusters(found.labels), clusters);
    }
  }
}

TEST(IteratedSearch, KeepsAStartThatIsNotBeaten) {
  tertium::Run run;
  const SparseMap map(to_similarity(MatrixXd::Zero(6, 6)));
  const FoundPartition start = some_partition(map, 2, run);
  EXPECT_EQ(iterated_search(map, start, run.stream("test"), {}, run).labels, start.labels);
}

}  // namespace
}  // namespace tertium::internal
