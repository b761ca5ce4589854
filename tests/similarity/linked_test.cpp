#include "tertium/similarity/linked.hpp"

#include <gtest/gtest.h>

#include "tertium/similarity/eigen_matrix.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

TEST(LinkedItems, FindsTheLargestGroupAndTheRest) {
  // 0 - 3 - 5, 1 - 4, and 2 alone.
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(6, 6);
  dense(3, 0) = dense(0, 3) = 2;
  dense(5, 3) = dense(3, 5) = -1;
  dense(4, 1) = dense(1, 4) = 7;
  SimilarityMatrix similarity = to_similarity(dense);
  similarity.mentions = {1, 2, 3, 4, 5, 6};
  const LinkedItems linked = linked_items(similarity);
  EXPECT_EQ(linked.main, (std::vector<std::uint32_t>{0, 3, 5}));
  ASSERT_EQ(linked.rest.size(), 3U);
  EXPECT_EQ(linked.rest[0].item, 1U);
  EXPECT_EQ(linked.rest[0].group_size, 2U);
  EXPECT_EQ(linked.rest[1].item, 2U);
  EXPECT_EQ(linked.rest[1].group_size, 1U);
  const SimilarityMatrix main = restricted(similarity, linked.main);
  EXPECT_EQ(main.items, (std::vector<std::string>{"0", "3", "5"}));
  EXPECT_EQ(main.mentions, (std::vector<std::uint64_t>{1, 4, 6}));
  Eigen::MatrixXd expected(3, 3);
  expected << 0, 2, 0, 2, 0, -1, 0, -1, 0;
  EXPECT_EQ(Eigen::MatrixXd(to_eigen(main)), expected);
}

}  // namespace
}  // namespace tertium::internal
