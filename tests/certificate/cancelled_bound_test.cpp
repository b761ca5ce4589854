#include "tertium/certificate/cancelled_bound.hpp"

#include <gtest/gtest.h>

#include "tertium/certificate/certificate_file.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/sdp/bound.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"
#include "tertium/verify.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// N of docs/certificate.md, entry by entry.
MatrixXd n_by_definition(const MatrixXd& similarity, const Labels& labels, double lambda,
                         double share) {
  const Index size = similarity.rows();
  const int k = count_clusters(labels);
  const auto cluster = [&](Index i) { return labels[static_cast<std::size_t>(i)]; };
  MatrixXd z = MatrixXd::Zero(size, k);
  for (Index i = 0; i < size; ++i) z(i, cluster(i)) = 1;
  const Eigen::VectorXd sizes = z.colwise().sum();
  const MatrixXd mean = similarity * z * sizes.cwiseInverse().asDiagonal();
  const MatrixXd block = sizes.cwiseInverse().asDiagonal() * z.transpose() * mean;
  MatrixXd u = MatrixXd::Zero(size, k);
  MatrixXd c = u;
  for (Index i = 0; i < size; ++i) {
    const int a = cluster(i);
    for (int b = 0; b < k; ++b) {
      if (a == b) continue;
      const double price = 1 / (2 * sizes[a]) + 1 / (2 * sizes[b]);
      u(i, b) = std::max(0.0, sizes[b] * (mean(i, a) - mean(i, b) +
                                          (block(b, b) - block(a, a)) / 2 - lambda * price));
      double negative = 0;
      for (Index r = 0; r < size; ++r) {
        if (cluster(r) == b) negative += std::max(0.0, -similarity(i, r));
      }
      c(i, b) = negative > 0 ? std::min(1.0, share * u(i, b) / negative) : 0;
    }
  }
  MatrixXd n = MatrixXd::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index r = 0; r < size; ++r) {
      if (cluster(i) == cluster(r)) continue;
      n(i, r) = std::max(0.0, -similarity(i, r)) * std::min(c(i, cluster(r)), c(r, cluster(i)));
    }
  }
  const MatrixXd v = (u - n * z).cwiseMax(0);
  const MatrixXd sums = z.transpose() * v;
  for (Index i = 0; i < size; ++i) {
    for (Index r = 0; r < size; ++r) {
      const int a = cluster(i);
      const int b = cluster(r);
      const double t = a == b ? 0 : std::max(sums(a, b), sums(b, a));
      if (t > 0) n(i, r) += v(i, b) * v(r, a) / t;
    }
  }
  return n;
}

TEST(CancelledMap, IsSPlusTheNOfTheDefinition) {
  tertium::Run run({.threads = 3});
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const MatrixXd similarity = planted_similarity(40, 3, 2000 * static_cast<int>(seed), seed);
    const SparseMap rows(to_similarity(similarity));
    Labels labels;
    for (int i = 0; i < 40; ++i) labels.push_back(i % 3);
    const Witness witness(rows, labels, run);
    const double lambda = 10.0 * seed;
    const double share = seed % 2 == 0 ? 0.9 : 0.4;
    const CancelledMap map(rows, witness, negative_sums(rows, labels, 3, run), lambda, share, run);
    const MatrixXd expected = similarity + n_by_definition(similarity, labels, lambda, share);
    const double scale = expected.norm();
    EXPECT_LE((to_dense(map) - expected).norm(), 1e-6 * scale);
    EXPECT_NEAR(map.sum_of_n(), (expected - similarity).sum(), 1e-5 * scale);
    // Whatever was rounded, N is symmetric and not negative.
    EXPECT_EQ(to_dense(map), to_dense(map).transpose());
    EXPECT_GE((to_dense(map) - similarity).minCoeff(), 0);
    const VectorBlock x = VectorBlock::Random(40, 7);
    VectorBlock y;
    map.multiply(x, y, run);
    EXPECT_LE((y - to_dense(map) * x).norm(), 1e-12 * scale * x.norm());
  }
}

TEST(CancelledBound, IsABoundOnEveryPartition) {
  tertium::Run run;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const int k = 2 + static_cast<int>(seed % 3);
    const MatrixXd similarity = seed % 2 == 0
                                    ? random_symmetric(8, seed)
                                    : planted_similarity(8, k, 60 * static_cast<int>(seed), seed);
    const SparseMap rows(to_similarity(similarity));
    const double best = best_partition(similarity, k, 0);
    const Labels labels = search_partition(rows, k, {}, run).labels;
    for (const std::size_t proved : {std::size_t{0}, std::size_t{100}}) {
      CertifyOptions options;
      options.most_items_proved = proved;
      EXPECT_GE(bound_by_cancelling(rows, labels, options, run).upper_bound, best) << seed;
    }
  }
}

TEST(CancelledBound, IsThatOfItsN) {
  tertium::Run run({.threads = 2});
  for (const int k : {2, 3, 5}) {
    const MatrixXd similarity = planted_similarity(200, k, 60000, static_cast<unsigned>(k));
    const SparseMap rows(to_similarity(similarity));
    const Labels labels = search_partition(rows, k, {}, run).labels;
    const double value = value_by_definition(similarity, labels);
    for (const std::size_t proved : {std::size_t{0}, std::size_t{1000}}) {
      CertifyOptions options;
      options.most_items_proved = proved;
      const CancelledBound found = bound_by_cancelling(rows, labels, options, run);
      EXPECT_EQ(found.level, proved > 0 ? Evidence::proved : Evidence::probabilistic);
      EXPECT_EQ(found.failure_probability > 0, proved == 0);
      const MatrixXd n = n_by_definition(similarity, labels, found.lambda, found.share);
      const double exact = upper_bound(similarity, n, Clusters{k});
      EXPECT_GE(found.upper_bound, exact - 1e-6 * value);
      EXPECT_LE(found.upper_bound, exact + 0.03 * value);
    }
  }
}

/// The checker shares no code with the producer.
TEST(CancelledBound, IsVerifiedFromItsFile) {
  tertium::Run run;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const MatrixXd similarity = planted_similarity(120, 3, 4000 * static_cast<int>(seed), seed);
    const SimilarityMatrix exact = to_similarity(similarity);
    GivenSums given;
    given.kind = std::string(precomputed);
    given.items = exact.items;
    given.triangle = exact;
    const SparseMap rows(exact);
    const Labels labels = search_partition(rows, 3, {}, run).labels;
    const double value = partition_value(rows, labels, run);
    CertifyOptions random;
    random.most_items_proved = 0;
    const CancelledBound found = bound_by_cancelling(rows, labels, random, run);
    SimilarityMatrix named = exact;
    named.rule = precomputed;
    const std::string text = certificate_text(named, found);
    double exact_bound = 0;
    for (const std::size_t dense : {std::size_t{0}, std::size_t{1000}}) {
      VerifyOptions options;
      options.largest_dense = dense;
      const Verification checked = verify_certificate(text, ".", given, options, run);
      EXPECT_TRUE(checked.verified) << checked.reason;
      EXPECT_EQ(checked.level == VerificationLevel::proved, dense > 0);
      EXPECT_LE(checked.bound, found.upper_bound);
      EXPECT_EQ(checked.seed.has_value(), dense == 0);
      exact_bound = checked.bound;  // of all eigenvalues, in the end
    }
    EXPECT_EQ(found.labels, labels);
    EXPECT_EQ(found.value, value);
    CancelledBound false_claim = found;
    false_claim.upper_bound = exact_bound - 1e-6 * std::abs(exact_bound);
    const std::string too_much = certificate_text(named, false_claim);
    for (const std::size_t dense : {std::size_t{0}, std::size_t{1000}}) {
      VerifyOptions options;
      options.largest_dense = dense;
      EXPECT_FALSE(verify_certificate(too_much, ".", given, options, run).verified) << dense;
    }
  }
}

}  // namespace
}  // namespace tertium::internal
