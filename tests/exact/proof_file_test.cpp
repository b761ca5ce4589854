#include "tertium/exact/proof_file.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/exact/best_partition.hpp"
#include "tertium/exact/proved_pairs.hpp"
#include "tertium/verify.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_similarity.hpp"
#include "tests/some_partition.hpp"
#include "tests/temporary_file.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;
using testing::HasSubstr;

/// A proof, what is true, and a folder for its files.
class Proof {
 public:
  Proof(int size, int clusters, unsigned seed, int most_nodes = 400)
      : similarity_(to_similarity(random_symmetric(size, seed))) {
    similarity_.rule = precomputed;
    const SparseMap map(similarity_);
    ExactOptions options;
    options.most_nodes = most_nodes;
    found = prove_best(map, some_partition(map, clusters, run_), options, run_);
    claim = tree_claim(found.proof, "proof.numbers");
    truth = best_partition(random_symmetric(size, seed), clusters, 0);
  }

  Verification verify(const TreeClaim& written) {
    static_cast<void>(folder_.file("proof.numbers", written.numbers));
    GivenSums given;
    given.kind = precomputed;
    given.items = similarity_.items;
    given.triangle = similarity_;
    return verify_certificate(
        certificate_text(similarity_, found.best.labels, found.best.value, written),
        folder_.path(""), given, {}, run_);
  }

  ExactResult found;
  TreeClaim claim;
  double truth = 0;

 private:
  tertium::Run run_;
  SimilarityMatrix similarity_;
  TemporaryFolder folder_;
};

TEST(ProofFile, IsVerified) {
  int branched = 0;
  for (unsigned seed = 1; seed <= (sanitized ? 2U : 8U); ++seed) {
    for (const int clusters : {2, 3, 4}) {
      Proof proof(8, clusters, seed);
      const Verification checked = proof.verify(proof.claim);
      EXPECT_TRUE(checked.verified) << checked.reason;
      EXPECT_EQ(checked.claim, "bound");
      EXPECT_LE(checked.bound, proof.claim.upper_bound);
      EXPECT_GE(checked.bound, proof.truth);
      branched += proof.claim.tree.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_TRUE(branched > 0 || sanitized);  // fewer are tried then
}

TEST(ProofFile, SaysThatNoOtherIsAsGoodOnlyIfItIsTrue) {
  int accepted = 0;
  int refused = 0;
  for (unsigned seed = 1; seed <= (sanitized ? 5U : 40U); ++seed) {
    Proof proof(6, 2 + static_cast<int>(seed % 2), seed);
    TreeClaim claim = proof.claim;
    claim.only_best = true;
    const Verification checked = proof.verify(claim);
    const bool expected =
        count_across(pairs_apart(proof.found.proof, proof.found.best, 0), proof.found.best.labels)
            .all();
    EXPECT_EQ(checked.verified, expected) << checked.reason;
    EXPECT_EQ(checked.only_best, checked.verified);
    (checked.verified ? accepted : refused) += 1;
    if (!checked.verified) continue;
    int as_good = 0;
    const MatrixXd similarity = random_symmetric(6, seed);
    for_each_partition(6, proof.found.best.clusters, [&](const Labels& labels) {
      as_good += value_by_definition(similarity, labels) >= proof.found.best.value - 1e-9 ? 1 : 0;
    });
    EXPECT_EQ(as_good, 1);
  }
  EXPECT_GT(accepted, 0);
}

TEST(ProofFile, ProvesTheBoundOfASearchThatWasStopped) {
  for (const int nodes : {1, 3, 6}) {
    Proof proof(10, 4, 5, nodes);
    const Verification checked = proof.verify(proof.claim);
    EXPECT_TRUE(checked.verified) << checked.reason;
    EXPECT_EQ(checked.upper_bound, proof.found.upper_bound);
  }
}

TEST(ProofFile, CannotClaimLessThanTheTruth) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    Proof proof(7, 3, seed);
    for (const double by : {1e-12, 1e-9, 1e-6, 1e-3, 1.0}) {
      TreeClaim forged = proof.claim;
      forged.upper_bound = proof.truth - by * std::abs(proof.truth);
      EXPECT_FALSE(proof.verify(forged).verified);
    }
  }
}

/// Puts a number in the first place of N in every leaf that has one.
void put_first_entries(std::string& numbers, float entry) {
  constexpr std::size_t magic = 16;
  constexpr std::size_t cut = 16;
  for (std::size_t at = magic; at < numbers.size();) {
    std::array<std::uint32_t, 2> counts{};  // groups and cuts
    std::memcpy(counts.data(), &numbers[at], sizeof counts);
    at += sizeof counts;
    if (counts[0] > 0) std::memcpy(&numbers[at], &entry, sizeof entry);
    at += counts[0] * (counts[0] + 1) / 2 * sizeof entry + counts[1] * cut;
  }
}

TEST(ProofFile, RefusesNumbersBelowZeroThatWouldProveTooMuch) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Proof proof(7, 3, seed);
    TreeClaim forged = proof.claim;
    put_first_entries(forged.numbers, 1);  // which is allowed
    forged.upper_bound = proof.claim.upper_bound + 10;
    const Verification checked = proof.verify(forged);
    ASSERT_TRUE(checked.verified) << checked.reason;
    put_first_entries(forged.numbers, -1000);  // which would prove that nothing is as good as it is
    EXPECT_THAT(proof.verify(forged).reason, HasSubstr("0 or more"));
  }
}

/// Changes one thing in a way that a forger, or a bad disk, might.
void forge(TreeClaim& claim, std::mt19937& random) {
  constexpr std::size_t magic = 16;
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  const auto word = [&] { return magic + 4 * below((claim.numbers.size() - magic) / 4); };
  const auto put = [&](auto number) { std::memcpy(&claim.numbers[word()], &number, 4); };
  const float factor = std::exp(std::normal_distribution<float>(0, 3)(random));
  switch (below(12)) {
    case 0:
      claim.numbers[below(claim.numbers.size())] ^= static_cast<char>(1U << below(8));
      break;
    case 1:
      put(-factor);
      break;
    case 2:
      put(std::numeric_limits<float>::quiet_NaN());
      break;
    case 3:
      put(std::numeric_limits<float>::infinity());
      break;
    case 4:
      put(static_cast<std::uint32_t>(below(9)));
      break;
    case 5:
      claim.numbers.resize(magic + below(claim.numbers.size() - magic + 8));
      break;
    case 6:
      if (claim.tree.size() > 1) claim.tree.erase(claim.tree.begin() + 1);
      break;
    case 7:  // a branch is said to be a leaf, with the numbers of another
      claim.tree[below(claim.tree.size())].reset();
      break;
    case 8:
      claim.tree[below(claim.tree.size())] = {static_cast<int>(below(8)),
                                              static_cast<int>(below(8))};
      break;
    case 9:
      claim.tree.emplace_back();
      break;
    case 10: {
      const std::size_t at = word();
      float number = 0;
      std::memcpy(&number, &claim.numbers[at], 4);
      number *= factor;
      std::memcpy(&claim.numbers[at], &number, 4);
      break;
    }
    default:
      put(std::numeric_limits<float>::max());
  }
}

TEST(ProofFile, NoForgeryThatIsAcceptedContradictsTheTruth) {
  std::mt19937 random(1);
  int accepted = 0;
  int refused = 0;
  for (unsigned seed = 1; seed <= (sanitized ? 4U : 20U); ++seed) {
    Proof proof(7, 2 + static_cast<int>(seed % 3), seed);
    for (int round = 0; round < 40; ++round) {
      TreeClaim forged = proof.claim;
      const int changes = 1 + round % 3;
      for (int change = 0; change < changes; ++change) forge(forged, random);
      // As little as the numbers may still prove.
      const double room = std::exp(std::uniform_real_distribution<double>(-20, 2)(random));
      forged.upper_bound = proof.truth + (round % 2 == 0 ? room : -room);
      const bool verified = proof.verify(forged).verified;
      (verified ? accepted : refused) += 1;
      EXPECT_TRUE(!verified || forged.upper_bound >= proof.truth);
    }
  }
  EXPECT_GT(refused, accepted);
  EXPECT_GT(accepted, 0);
}

TEST(ProofFile, IsRefusedWithTheReason) {
  Proof proof(8, 3, 2);
  TreeClaim other = proof.claim;
  other.numbers_file = "../proof.numbers";
  EXPECT_THAT(proof.verify(other).reason, HasSubstr("the name of a file"));
  other = proof.claim;
  other.numbers.clear();
  EXPECT_THAT(proof.verify(other).reason, HasSubstr("another file"));
  other = proof.claim;
  other.numbers += "more";
  EXPECT_THAT(proof.verify(other).reason, HasSubstr("more than the leaves have"));
  other = proof.claim;
  other.tree.clear();
  EXPECT_THAT(proof.verify(other).reason, HasSubstr("tree"));
}

TEST(PrunedTree, KeepsTheBoundAndOnlyWhatProvesIt) {
  ProofTree tree;
  tree.nodes.resize(5);
  tree.nodes[0] = {{9, {}, {}}, {0, 1}, 1, 2};
  tree.nodes[1] = {{5, {}, {}}, {2, 3}, 3, 4};
  tree.nodes[2].proof.bound = 4;
  tree.nodes[3].proof.bound = 6;  // no better than its parent
  tree.nodes[4].proof.bound = 1;
  EXPECT_EQ(bound_of(tree), 5);
  const ProofTree kept = pruned(tree);
  ASSERT_EQ(kept.nodes.size(), 3U);
  EXPECT_EQ(bound_of(kept), 5);
  EXPECT_EQ(kept.nodes[1].proof.bound, 5);
  EXPECT_EQ(kept.nodes[2].proof.bound, 4);
}

}  // namespace
}  // namespace tertium::internal
