#include "tertium/partition/consensus.hpp"

#include <gtest/gtest.h>

#include "tertium/agreement.hpp"
#include "tertium/error.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/search.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

Labels planted_labels(int size, int clusters) {
  Labels labels;
  for (int i = 0; i < size; ++i) labels.push_back(i % clusters);
  return labels;
}

/// By definition: over all labelings that leave the items 0 and 1 where they are and use both
/// clusters, the share of exp(beta f) with an item in cluster 1.
std::vector<double> shares_in_second(const MatrixXd& similarity, double beta) {
  const auto size = static_cast<std::size_t>(similarity.rows());
  std::vector<double> second(size, 0);
  double total = 0;
  for (unsigned bits = 0; bits < 1U << (size - 2); ++bits) {
    Labels labels(size, 0);
    labels[1] = 1;
    for (std::size_t i = 2; i < size; ++i) labels[i] = static_cast<int>(bits >> (i - 2) & 1U);
    const double weight = std::exp(beta * value_by_definition(similarity, labels));
    total += weight;
    for (std::size_t i = 0; i < size; ++i) second[i] += weight * labels[i];
  }
  for (double& share : second) share /= total;
  return second;
}

TEST(Consensus, IsWhereMostOfTheWeightOfAllLabelingsIs) {
  int doubtful = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    // Two groups: the first six items hold together firmly, which keeps the clusters from changing
    // names; the ties of the others drown in noise. Small beta: many labelings count.
    MatrixXd similarity = random_symmetric(12, seed, 25);
    for (int i = 0; i < 12; ++i) {
      for (int j = 0; j < i; ++j) {
        const int tie = i % 2 == j % 2 ? 1 : -1;
        if (i < 6) similarity(i, j) = 60 * tie;
        if (i >= 6) similarity(i, j) += 8 * tie;
        similarity(j, i) = similarity(i, j);
      }
    }
    const double beta = 0.1;
    const std::vector<double> expected = shares_in_second(similarity, beta);
    const Labels start = planted_labels(12, 2);
    tertium::Run run({.seed = seed});
    const Labels found =
        consensus_partition(SparseMap(to_similarity(similarity)), start, 2, beta, run);
    for (std::size_t i = 0; i < 12; ++i) {
      doubtful += expected[i] > 0.2 && expected[i] < 0.8;
      // 1600 draws that hang together: shares this far from 1/2 are on the right side.
      if (std::abs(expected[i] - 0.5) < 0.1) continue;
      EXPECT_EQ(found[i], expected[i] > 0.5 ? 1 : 0) << i;
    }
  }
  EXPECT_GT(doubtful, 30);  // else nothing was tested
}

TEST(Consensus, LeavesWhatIsClear) {
  const SparseMap rows(to_similarity(planted_similarity(30, 3, 20000, 1)));
  tertium::Run run;
  const Labels best = search_partition(rows, 3, {}, run).labels;
  EXPECT_EQ(consensus_partition(rows, best, 3, 10, run), best);
}

TEST(Consensus, IsNearerToThePlantedClustersThanTheBestPartition) {
  tertium::Run run;
  double gain = 0;
  int moved = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SimilarityMatrix similarity = to_similarity(planted_similarity(90, 3, 1700, seed));
    similarity.weight = 1700;
    const SparseMap rows(similarity);
    SearchOptions search;
    search.restarts = 20;
    const Labels best = search_partition(rows, 3, search, run).labels;
    const double beta = likelihood_of_value(similarity, ClusterSums(rows, best, 3, run));
    const Labels consensus = consensus_partition(rows, best, 3, beta, run);
    const Labels truth = planted_labels(90, 3);
    gain += adjusted_rand_index(consensus, truth) - adjusted_rand_index(best, truth);
    moved += consensus != best;
  }
  EXPECT_GT(moved, 6);
  EXPECT_GT(gain / 12, 0.01);
}

TEST(LikelihoodOfValue, FindsTheNoise) {
  // The option inside is chosen with probability 3/4: e = 1/2. Triplets with the same item twice
  // are left out: the weight is what remains of 100,000 on average.
  SimilarityMatrix similarity = to_similarity(planted_similarity(60, 3, 100000, 5), 4);
  similarity.weight = 4 * std::llround(100000.0 * 59 / 60 * 58 / 60);
  const SparseMap rows(similarity);
  tertium::Run run;
  const ClusterSums sums(rows, planted_labels(60, 3), 3, run);
  EXPECT_NEAR(likelihood_of_value(similarity, sums), 60 / 12.0 * std::log(3), 0.2);
  similarity.rule = precomputed;
  EXPECT_EQ(likelihood_of_value(similarity, sums), 0);
}

TEST(LikelihoodOfValue, KnowsQuadruplets) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> item(0, 39);
  std::bernoulli_distribution right(0.7);
  std::bernoulli_distribution coin(0.5);
  MatrixXd dense = MatrixXd::Zero(40, 40);
  const int answers = 60000;
  for (int answer = 0; answer < answers;) {
    int pair[4] = {item(random), item(random), item(random), item(random)};
    if (pair[0] == pair[1] || pair[2] == pair[3]) continue;
    ++answer;
    const bool first = pair[0] % 2 == pair[1] % 2;
    const bool second = pair[2] % 2 == pair[3] % 2;
    const int sign = (first == second ? coin(random) : first == right(random)) ? 1 : -1;
    for (const auto& [i, j, s] : {std::tuple{pair[0], pair[1], sign}, {pair[2], pair[3], -sign}}) {
      dense(i, j) += s;
      dense(j, i) += s;
    }
  }
  SimilarityMatrix similarity = to_similarity(dense);
  similarity.rule = "adds4";
  similarity.quadruplets = true;
  similarity.weight = answers;
  const SparseMap rows(similarity);
  tertium::Run run;
  const ClusterSums sums(rows, planted_labels(40, 2), 2, run);
  EXPECT_NEAR(likelihood_of_value(similarity, sums), 40 / 8.0 * std::log(0.7 / 0.3), 0.15);
}

TEST(Consensus, StopsWhenToldTo) {
  const SparseMap rows(to_similarity(random_symmetric(20, 1)));
  tertium::Run run({.progress = [](const std::string&, const ProgressUpdate&) { return false; }});
  EXPECT_THROW(consensus_partition(rows, planted_labels(20, 2), 2, 0.1, run), Cancelled);
}

}  // namespace
}  // namespace tertium::internal
