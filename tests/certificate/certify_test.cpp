#include "tertium/certificate/certify.hpp"

#include <array>

#include <gtest/gtest.h>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

/// The two conditions of docs/certificate.md at one lambda, straight from the definition: the
/// smallest u, and lambda minus the largest eigenvalue on the range of P.
struct Conditions {
  double smallest_u = std::numeric_limits<double>::infinity();
  double room = 0;
};

Conditions conditions(const MatrixXd& similarity, const Labels& labels, double lambda) {
  const Eigen::Index size = similarity.rows();
  const int k = count_clusters(labels);
  MatrixXd z = MatrixXd::Zero(size, k);
  for (Eigen::Index i = 0; i < size; ++i) z(i, labels[static_cast<std::size_t>(i)]) = 1;
  const Eigen::VectorXd sizes = z.colwise().sum();
  const MatrixXd mean = similarity * z * sizes.cwiseInverse().asDiagonal();
  const MatrixXd block = sizes.cwiseInverse().asDiagonal() * z.transpose() * mean;
  MatrixXd u = MatrixXd::Zero(size, k);
  Conditions result;
  for (Eigen::Index i = 0; i < size; ++i) {
    const int j = labels[static_cast<std::size_t>(i)];
    for (int l = 0; l < k; ++l) {
      if (l == j) continue;
      u(i, l) = sizes[l] * (mean(i, j) - mean(i, l) + (block(l, l) - block(j, j)) / 2 -
                            lambda * (1 / (2 * sizes[j]) + 1 / (2 * sizes[l])));
      result.smallest_u = std::min(result.smallest_u, u(i, l));
    }
  }
  MatrixXd sum = similarity;
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index r = 0; r < size; ++r) {
      const int j = labels[static_cast<std::size_t>(i)];
      const int l = labels[static_cast<std::size_t>(r)];
      if (j == l) continue;
      double total = 0;
      for (Eigen::Index m = 0; m < size; ++m) total += z(m, j) * u(m, l);
      sum(i, r) += u(i, l) * u(r, j) / total;
    }
  }
  const MatrixXd p =
      MatrixXd::Identity(size, size) - z * sizes.cwiseInverse().asDiagonal() * z.transpose();
  // The complement of the range goes far below.
  const MatrixXd inner = p * sum * p - 1e6 * (MatrixXd::Identity(size, size) - p);
  result.room = lambda - symmetric_eigenvalues((inner + inner.transpose()) / 2).maxCoeff();
  return result;
}

void expect_conditions_hold(const MatrixXd& similarity, const Labels& labels,
                            const Certificate& certificate) {
  for (const auto& end : {certificate.lo, certificate.hi}) {
    if (!end) continue;
    const Conditions at = conditions(similarity, labels, *end);
    EXPECT_GT(at.smallest_u, 0) << *end;
    if (count_clusters(labels) < similarity.rows()) {
      EXPECT_GT(at.room, 0) << *end;
    }
  }
}

TEST(Certify, ProvesPlantedGroupsAndTheConditionsHold) {
  tertium::Run run;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const MatrixXd similarity = planted_similarity(60, 3, 30000, seed);
    const SparseMap rows(to_similarity(similarity));
    const Labels labels = search_partition(rows, 3, {}, run).labels;
    const Certificate certificate = certify(rows, labels, {}, run);
    ASSERT_EQ(certificate.verdict, Verdict::optimal);
    EXPECT_EQ(certificate.level, Evidence::proved);
    EXPECT_EQ(certificate.failure_probability, 0);
    EXPECT_LT(*certificate.lo, *certificate.hi);
    expect_conditions_hold(similarity, labels, certificate);
    // Just outside of the upper end u is negative.
    EXPECT_LT(conditions(similarity, labels, *certificate.hi * (1 + 1e-6)).smallest_u, 0);
  }
}

TEST(Certify, TheRandomisedLevelAgreesWithTheProof) {
  const MatrixXd similarity = planted_similarity(300, 4, 400000, 1);
  const SparseMap rows(to_similarity(similarity));
  tertium::Run run({.threads = 2});
  const Labels labels = search_partition(rows, 4, {}, run).labels;
  CertifyOptions random;
  random.most_items_proved = 0;
  const Certificate probable = certify(rows, labels, random, run);
  const Certificate proved = certify(rows, labels, {}, run);
  ASSERT_EQ(probable.verdict, Verdict::optimal);
  EXPECT_EQ(probable.level, Evidence::probabilistic);
  EXPECT_GT(probable.failure_probability, 0);
  EXPECT_LE(probable.failure_probability, 1e-12);
  ASSERT_EQ(proved.verdict, Verdict::optimal);
  EXPECT_NEAR(*probable.hi, *proved.hi, 1e-6 * *proved.hi);
  expect_conditions_hold(similarity, labels, probable);
}

TEST(Certify, AVerdictIsNeverWrong) {
  // Small and noisy: all three verdicts occur, and each is compared with the solved program.
  tertium::Run run;
  std::array<int, 3> verdicts{};
  SdpOptions options;
  options.tolerance = 1e-7;
  options.search_partition = false;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const MatrixXd similarity = planted_similarity(12, 2 + static_cast<int>(seed % 2), 400, seed);
    const SparseMap rows(to_similarity(similarity));
    for (const int k : {2, 3}) {
      const Labels labels = search_partition(rows, k, {}, run).labels;
      const double value = value_by_definition(similarity, labels);
      const Certificate certificate = certify(rows, labels, {}, run);
      const SdpResult solved = solve_sdp(similarity, Clusters{k}, options, run);
      ++verdicts[static_cast<std::size_t>(certificate.verdict)];
      if (certificate.verdict == Verdict::optimal) {
        EXPECT_NEAR(solved.objective, value, 1e-5 * std::abs(value));
        expect_conditions_hold(similarity, labels, certificate);
      }
      if (certificate.verdict == Verdict::not_optimal) {
        EXPECT_GT(solved.upper_bound, value * (1 + 1e-9));
      }
    }
  }
  EXPECT_GT(verdicts[0], 0);
  EXPECT_GT(verdicts[1], 0);
}

TEST(Certify, AWrongPartitionIsNotCertified) {
  const MatrixXd similarity = planted_similarity(60, 3, 30000, 1);
  const SparseMap rows(to_similarity(similarity));
  tertium::Run run;
  Labels labels = search_partition(rows, 3, {}, run).labels;
  labels[7] = (labels[7] + 1) % 3;
  EXPECT_NE(certify(rows, labels, {}, run).verdict, Verdict::optimal);
  CertifyOptions random;
  random.most_items_proved = 0;
  EXPECT_NE(certify(rows, labels, random, run).verdict, Verdict::optimal);
}

TEST(Certify, OneClusterAndAllApart) {
  const MatrixXd similarity = random_symmetric(10, 3);
  const SparseMap rows(to_similarity(similarity));
  tertium::Run run;
  const Labels together(10, 0);
  const Certificate one = certify(rows, together, {}, run);
  EXPECT_EQ(one.verdict, Verdict::optimal);
  EXPECT_FALSE(one.hi.has_value());
  expect_conditions_hold(similarity, together, one);
  Labels apart(10);
  for (std::size_t i = 0; i < 10; ++i) apart[i] = static_cast<std::int32_t>(i);
  const Certificate ten = certify(rows, apart, {}, run);
  EXPECT_EQ(ten.verdict, Verdict::optimal);
  EXPECT_FALSE(ten.lo.has_value());
  expect_conditions_hold(similarity, apart, ten);
  EXPECT_NEAR(*ten.hi, -similarity.maxCoeff(), 1e-7);
  const SparseMap nothing(to_similarity(MatrixXd::Zero(10, 10)));
  EXPECT_LT(*certify(nothing, apart, {}, run).hi, 0);  // at 0 itself u is 0, not positive
  const SparseMap single(to_similarity(MatrixXd::Zero(1, 1)));
  EXPECT_EQ(certify(single, Labels{0}, {}, run).verdict, Verdict::optimal);
}

TEST(Certify, WeightsThatAreFractions) {
  const MatrixXd similarity = planted_similarity(60, 3, 30000, 2) / 4;
  const SparseMap rows(to_similarity(similarity, 4));
  tertium::Run run;
  const Labels labels = search_partition(rows, 3, {}, run).labels;
  const Certificate certificate = certify(rows, labels, {}, run);
  ASSERT_EQ(certificate.verdict, Verdict::optimal);
  expect_conditions_hold(similarity, labels, certificate);
}

}  // namespace
}  // namespace tertium::internal
