#include "tertium/verify.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/reading/npy.hpp"
#include "tertium/verify/definite.hpp"
#include "tertium/verify/lanczos.hpp"
#include "tests/sanitized.hpp"
#include "tests/temporary_file.hpp"
#include "tests/verify/claims.hpp"

namespace tertium::internal::verifying {
namespace {

using Eigen::MatrixXd;
using Eigen::MatrixXi;
using testing::HasSubstr;

Verification verify_optimal(const MatrixXi& integers, const Labels& labels, double lo, double hi,
                            const VerifyOptions& options = {}, const RunOptions& run_options = {}) {
  tertium::Run run(run_options);
  return verify_certificate(sealed(optimal_claim(integers, labels, lo, hi)), ".",
                            given_of(integers), options, run);
}

VerifyOptions by_lanczos() {
  VerifyOptions options;
  options.largest_dense = 0;
  return options;
}

/// Calls visit(labels) for every partition of the items.
template <class Visit>
void for_each_partition(std::size_t size, const Visit& visit) {
  Labels labels(size);
  const auto extend = [&](const auto& self, std::size_t item, std::uint32_t used) -> void {
    if (item == size) {
      visit(labels);
      return;
    }
    for (std::uint32_t a = 0; a <= used; ++a) {
      labels[item] = a;
      self(self, item + 1, std::max(used, a + 1));
    }
  };
  extend(extend, 0, 0);
}

std::uint32_t clusters_of(const Labels& labels) {
  return *std::max_element(labels.begin(), labels.end()) + 1;
}

TEST(VerifyOptimal, NeverAcceptsWhatTryingAllPartitionsRefutes) {
  int accepted = 0;
  std::mt19937 random(1);
  for (unsigned seed = 1; seed <= (sanitized ? 4U : 12U); ++seed) {
    const int noise = static_cast<int>(seed % 4);
    const Planted planted(6, 1 + static_cast<int>(seed % 3), 5, noise, seed);
    for (int round = 0; round < 6; ++round) {
      const double lambda = std::uniform_real_distribution<double>(-10, 30)(random);
      std::vector<Labels> optimal;
      for_each_partition(6, [&](const Labels& labels) {
        if (verify_optimal(planted.integers, labels, lambda, lambda).verified) {
          optimal.push_back(labels);
        }
      });
      ASSERT_LE(optimal.size(), 1U);
      if (optimal.empty()) continue;
      ++accepted;
      const std::uint32_t k = clusters_of(optimal[0]);
      const double value = value_of(planted.integers, optimal[0]);
      for_each_partition(6, [&](const Labels& labels) {
        if (labels == optimal[0]) return;
        const double other = value_of(planted.integers, labels);
        const std::uint32_t clusters = clusters_of(labels);
        EXPECT_LT(other - lambda * clusters, value - lambda * k);
        EXPECT_TRUE(clusters != k || other < value);
      });
    }
  }
  EXPECT_GT(accepted, sanitized ? 6 : 20);
}

/// The smallest lambda at which condition 2 holds, where lambda meets the largest eigenvalue: by
/// the secant method from a lambda inside the interval.
double lower_end(const Planted& planted, double inside) {
  const auto above = [&](double lambda) {
    return largest_eigenvalue(planted.integers, planted.labels, lambda) - lambda;
  };
  double a = inside;
  double at_a = above(a);
  double b = a + at_a;
  for (int step = 0; step < 20 && std::abs(a - b) > 1e-13 * std::abs(b); ++step) {
    const double at_b = above(b);
    const double next = at_a == at_b ? b : b - at_b * (b - a) / (at_b - at_a);
    a = std::exchange(b, next);
    at_a = at_b;
  }
  return b;
}

TEST(VerifyOptimal, IsSharpAtTheLowerEnd) {
  for (const int size : {12, 61, 150}) {
    const Planted planted(size, 3, 20, 3, 7);
    const double inside = 3.0 * size;
    const double end = lower_end(planted, inside);
    const auto at = [&](double lambda) {
      return verify_optimal(planted.integers, planted.labels, lambda, inside);
    };
    EXPECT_TRUE(at(end + 1e-9 * inside).verified) << at(end + 1e-9 * inside).reason;
    const Verification below = at(end - 1e-11 * inside);
    EXPECT_FALSE(below.verified) << size;
    EXPECT_THAT(below.reason, HasSubstr("condition 2 at lo"));
  }
}

TEST(VerifyOptimal, CountsRoundingAgainstTheClaim) {
  // Two items apart: u = 5 - lambda.
  MatrixXi integers = MatrixXi::Zero(2, 2);
  integers(0, 1) = integers(1, 0) = -5;
  const auto up_to = [&](double hi) {
    const auto claim = optimal_claim(integers, {0, 1}, {}, hi);
    tertium::Run run;
    return verify_certificate(sealed(claim), ".", given_of(integers), {}, run).verified;
  };
  EXPECT_TRUE(up_to(-1e9));
  EXPECT_TRUE(up_to(5 - 1e-12));
  EXPECT_FALSE(up_to(std::nextafter(5.0, 0.0)));
  EXPECT_FALSE(up_to(5));
  EXPECT_FALSE(up_to(6));
}

TEST(VerifyOptimal, TheTwoMethodsAgree) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const Planted planted(240, 4, 9, 4, seed);
    const double inside = 300;
    const double end = lower_end(planted, inside);
    for (const double lambda : {0.5 * end, 0.95 * end, 1.05 * end, 1.5 * end}) {
      const auto dense = verify_optimal(planted.integers, planted.labels, lambda, inside);
      const auto tested =
          verify_optimal(planted.integers, planted.labels, lambda, inside, by_lanczos());
      EXPECT_EQ(dense.verified, lambda > end) << dense.reason;
      EXPECT_EQ(tested.verified, lambda > end) << tested.reason;
      if (lambda < end) continue;
      EXPECT_EQ(dense.level, VerificationLevel::proved);
      EXPECT_EQ(dense.failure_probability, 0);
      EXPECT_EQ(tested.level, VerificationLevel::probabilistic);
      EXPECT_GT(tested.failure_probability, 0);
      EXPECT_LE(tested.failure_probability, 1e-12);
    }
  }
}

TEST(VerifyOptimal, AClusterEachNeedsNoEigenvalue) {
  const MatrixXi integers = -MatrixXi::Ones(5, 5) + MatrixXi(MatrixXi::Identity(5, 5));
  const auto claim = optimal_claim(integers, {0, 1, 2, 3, 4}, {}, 0.5);
  tertium::Run run;
  const auto result = verify_certificate(sealed(claim), ".", given_of(integers), by_lanczos(), run);
  EXPECT_TRUE(result.verified) << result.reason;
  EXPECT_EQ(result.level, VerificationLevel::proved);
  EXPECT_EQ(result.partition_value, 0);
}

TEST(VerifyOptimal, StopsWhenAsked) {
  const Planted planted(40, 2, 5, 1, 1);
  const RunOptions stopping = {
      .progress = [](const std::string&, const ProgressUpdate&) { return false; }};
  for (const VerifyOptions& options : {VerifyOptions(), by_lanczos()}) {
    EXPECT_THROW(verify_optimal(planted.integers, planted.labels, 50, 50, options, stopping),
                 Cancelled);
  }
}

TEST(VerifyOptimal, ReadsTheSameSimilarityOverAnotherDenominator) {
  const Planted planted(8, 2, 5, 1, 1);
  GivenSums tenfold = given_of(10 * planted.integers);
  tenfold.triangle.denominator = 10;
  const auto claim = optimal_claim(planted.integers, planted.labels, 10, 12);
  tertium::Run run;
  EXPECT_TRUE(verify_certificate(sealed(claim), ".", tenfold, {}, run).verified);
  tenfold.triangle.value[0] += 1;
  EXPECT_THAT(verify_certificate(sealed(claim), ".", tenfold, {}, run).reason,
              HasSubstr("denominator"));
}

TEST(VerifyOptimal, SumsBeyond64BitsAreAnError) {
  const Planted planted(8, 2, 5, 1, 1);
  IntegerTriangle huge = given_of(planted.integers).triangle;
  for (auto& value : huge.value) value = std::numeric_limits<std::int64_t>::max();
  const Labels together(8);
  EXPECT_THROW(sum_over_clusters(huge, together, 1), InputError);
}

/// Writes N beside the claim and checks both.
Verification verify_bound(const MatrixXi& integers, const Labels& labels, const MatrixXd& dual,
                          const nlohmann::ordered_json& program, double upper_bound) {
  const auto size = static_cast<std::size_t>(dual.rows());
  const std::string bytes(reinterpret_cast<const char*>(dual.data()), size * size * sizeof(double));
  const TemporaryFolder folder;
  const std::string file = folder.file("n.npy", npy_header("<f8", size, size) + bytes);
  auto fields = optimal_claim(integers, labels, 0, 0);
  for (const char* field : {"lo", "hi", "level", "failure_probability"}) fields.erase(field);
  fields["claim"] = "bound";
  fields["program"] = program;
  fields["upper_bound"] = upper_bound;
  fields["dual"] = "n.npy";
  fields["dual_checksum"] = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  tertium::Run run;
  return verify_certificate(sealed(fields), std::filesystem::path(file).parent_path(),
                            given_of(integers), {}, run);
}

TEST(VerifyBound, BoundsEveryPartition) {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    const MatrixXi integers = random_integers(6, random);
    const MatrixXd half = random_integers(6, random).cwiseAbs().cast<double>() / 7;
    const MatrixXd dual = half + MatrixXd::Identity(6, 6) * (round % 3);
    std::vector<double> best(7, -1e300);  // by the number of clusters
    std::vector<Labels> which(7);
    for_each_partition(6, [&](const Labels& labels) {
      const double value = value_of(integers, labels);
      if (value > best[clusters_of(labels)]) which[clusters_of(labels)] = labels;
      best[clusters_of(labels)] = std::max(value, best[clusters_of(labels)]);
    });
    for (std::size_t k = 1; k <= 6; ++k) {
      const auto result = verify_bound(integers, which[k], dual, {{"clusters", k}}, 1e6);
      ASSERT_TRUE(result.verified) << result.reason;
      EXPECT_GE(result.bound, best[k]) << k;
      EXPECT_DOUBLE_EQ(result.partition_value, best[k]);
      const double bound = result.bound;
      EXPECT_TRUE(verify_bound(integers, which[k], dual, {{"clusters", k}}, bound).verified);
      EXPECT_THAT(verify_bound(integers, which[k], dual, {{"clusters", k}}, bound - 1e-6).reason,
                  HasSubstr("upper_bound"));
    }
    for (const double lambda : {-3.0, 0.0, 4.5}) {
      const auto result = verify_bound(integers, which[2], dual, {{"lambda", lambda}}, 1e6);
      ASSERT_TRUE(result.verified) << result.reason;
      for (std::size_t k = 1; k <= 6; ++k) {
        EXPECT_GE(result.bound, best[k] - lambda * static_cast<double>(k)) << k;
      }
    }
  }
}

TEST(ProvesEigenvaluesAbove, OnlyWhatIsTrue) {
  std::mt19937 random(3);
  for (const int size : {1, 2, 5, 40, 300, 600}) {
    // Integers, so that the matrix of rank n - 1 is exact: its smallest eigenvalue is 0.
    const MatrixXd root = random_integers(size, random, 3).cast<double>().leftCols(size - 1);
    const MatrixXd singular = root * root.transpose();
    MatrixXd copy = singular;
    EXPECT_FALSE(proves_eigenvalues_above(copy, 0)) << size;
    copy = singular + MatrixXd::Identity(size, size);
    EXPECT_TRUE(proves_eigenvalues_above(copy, 0)) << size;
    copy = singular + MatrixXd::Identity(size, size);
    EXPECT_TRUE(proves_eigenvalues_above(copy, 0.9)) << size;
    copy = singular + MatrixXd::Identity(size, size);
    EXPECT_FALSE(proves_eigenvalues_above(copy, 1)) << size;
    copy = singular + MatrixXd::Identity(size, size);
    copy(size - 1, size / 2) = std::nan("");
    EXPECT_FALSE(proves_eigenvalues_above(copy, 0)) << size;
    copy = MatrixXd::Zero(size, size);
    EXPECT_FALSE(proves_eigenvalues_above(copy, 0)) << size;
  }
}

TEST(BoundLargestEigenvalue, HoldsTheTrueOne) {
  unsigned seed = 0;
  for (const int size : {12, 57, 131, 560}) {
    if (sanitized && size > 500) continue;  // more steps of the same code
    const Planted planted(size, 2, 12, 4, ++seed);
    const GivenSums given = given_of(planted.integers);
    const IntegerTriangle& similarity = given.triangle;
    const Partition partition = sum_over_clusters(similarity, planted.labels, 2);
    Claim claim;
    claim.items = given.items;
    // Where lambda is the largest eigenvalue itself, no number of steps decides.
    const double lambda = lower_end(planted, 3.0 * size);
    const auto multipliers = check_multipliers(claim, partition, lambda, "lo");
    const auto found = bound_largest_eigenvalue(similarity, partition, multipliers, 1e-12, seed);
    EXPECT_EQ(found.steps, std::min(size - 2, 512));
    EXPECT_LE(found.at_least, lambda + 1e-9 * size);
    EXPECT_GE(found.at_least, lambda - 1e-3 * size);
    ASSERT_TRUE(found.at_most);
    EXPECT_GE(*found.at_most, lambda);
    EXPECT_FALSE(proves_definite(similarity, partition, multipliers));
  }
}

TEST(BoundLargestEigenvalue, SurvivesAFewDifferentEigenvalues) {
  // Blocks of equal numbers: on the range of P, S + Gamma has one eigenvalue only.
  const Planted planted(300, 3, 2, 0, 1);
  for (const double lambda : {-2.1, -1.9, 10.0}) {
    const auto result = verify_optimal(planted.integers, planted.labels, lambda, 100, by_lanczos());
    EXPECT_EQ(result.verified, lambda > -2) << result.reason;
    EXPECT_EQ(verify_optimal(planted.integers, planted.labels, lambda, 100).verified, lambda > -2);
  }
}

}  // namespace
}  // namespace tertium::internal::verifying
