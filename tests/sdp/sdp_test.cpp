#include "tertium/sdp.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/sdp/bound.hpp"
#include "tertium/sdp/extrapolation.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"
#include "tests/shared_data.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

/// Recomputes everything that a result claims, from S and X alone.
void expect_honest(const MatrixXd& similarity, const SdpProgram& program, const SdpResult& result) {
  const MatrixXd x = result.point.matrix();
  const double scale = std::max(1.0, similarity.cwiseAbs().maxCoeff());
  EXPECT_GE(x.minCoeff(), 0);
  EXPECT_LT((x.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-9);
  EXPECT_LT((x - x.transpose()).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_GT(symmetric_eigenvalues(x).minCoeff(), -1e-9);
  double objective = 0;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    for (Eigen::Index j = 0; j < x.cols(); ++j) objective += similarity(i, j) * x(i, j);
  }
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    EXPECT_NEAR(x.trace(), clusters->count, 1e-9);
  } else {
    objective -= std::get<Lambda>(program).value * x.trace();
  }
  EXPECT_NEAR(result.objective, objective, 1e-9 * scale * static_cast<double>(x.rows()));
  EXPECT_GE(result.upper_bound, result.objective - 1e-9 * scale);
  EXPECT_NEAR(result.trace, x.trace(), 1e-9);
  const Eigen::VectorXd eigenvalues = symmetric_eigenvalues(x).reverse();
  EXPECT_LT((result.eigenvalues - eigenvalues).cwiseAbs().maxCoeff(), 1e-8);
  if (result.dual.size() > 0) {
    EXPECT_GE(result.dual.minCoeff(), 0);
    EXPECT_NEAR(upper_bound(similarity, result.dual, program), result.upper_bound,
                1e-6 * std::max(1.0, std::abs(result.upper_bound)));
  }
}

TEST(SolveSdp, BoundsEveryPartition) {
  tertium::Run run;
  SdpOptions options;
  options.tolerance = 1e-6;
  options.keep_dual = true;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const MatrixXd similarity = random_symmetric(7, seed);
    for (const int k : {1, 2, 3, 6, 7}) {
      const SdpResult result = solve_sdp(similarity, Clusters{k}, options, run);
      expect_honest(similarity, Clusters{k}, result);
      EXPECT_EQ(result.status, SdpStatus::solved) << k;
      EXPECT_GE(result.upper_bound, best_partition(similarity, k, 0) - 1e-9) << k;
    }
    for (const double lambda : {0.0, 1.5, 10.0, 100.0}) {
      const SdpResult result = solve_sdp(similarity, Lambda{lambda}, options, run);
      expect_honest(similarity, Lambda{lambda}, result);
      EXPECT_EQ(result.status, SdpStatus::solved) << lambda;
      EXPECT_GE(result.upper_bound, best_partition(similarity, 0, lambda) - 1e-9) << lambda;
    }
  }
}

TEST(SolveSdp, FindsSeparateBlocksExactly) {
  // Two blocks of ones: the partition into them is optimal, f = (3*2)/3 + (4*3)/4.
  MatrixXd similarity = MatrixXd::Constant(7, 7, -1);
  similarity.topLeftCorner(3, 3).setOnes();
  similarity.bottomRightCorner(4, 4).setOnes();
  similarity.diagonal().setZero();
  SdpOptions options;
  options.tolerance = 1e-7;
  tertium::Run run;
  const SdpResult result = solve_sdp(similarity, Clusters{2}, options, run);
  EXPECT_EQ(result.status, SdpStatus::solved);
  EXPECT_NEAR(result.objective, 5, 1e-5);
  EXPECT_NEAR(result.theta, 1, 1e-5);
}

TEST(SolveSdp, Degenerate) {
  tertium::Run run;
  for (const int size : {1, 2, 3}) {
    for (int k = 1; k <= size; ++k) {
      const MatrixXd similarity = random_symmetric(size, 11);
      const SdpResult result = solve_sdp(similarity, Clusters{k}, {}, run);
      expect_honest(similarity, Clusters{k}, result);
      EXPECT_LE(result.gap, 1e-3) << size << " " << k;
    }
    const MatrixXd zero = MatrixXd::Zero(size, size);
    EXPECT_EQ(solve_sdp(zero, Clusters{1}, {}, run).gap, 0);
    EXPECT_EQ(solve_sdp(zero, Lambda{0}, {}, run).gap, 0);
    EXPECT_EQ(solve_sdp(zero, Lambda{2}, {}, run).objective, -2);
  }
  const MatrixXd negative = -MatrixXd::Ones(5, 5) + MatrixXd(MatrixXd::Identity(5, 5));
  const SdpResult apart = solve_sdp(negative, Clusters{5}, {}, run);
  EXPECT_EQ(apart.objective, 0);
  EXPECT_EQ(apart.gap, 0);
  expect_honest(negative, Clusters{3}, solve_sdp(negative, Clusters{3}, {}, run));
}

TEST(SolveSdp, NoSimilarityAtAll) {
  tertium::Run run;
  const MatrixXd zero = MatrixXd::Zero(10, 10);
  for (const int k : {1, 2, 3, 9, 10}) {
    const SdpResult result = solve_sdp(to_similarity(zero), Clusters{k}, {}, run);
    expect_honest(zero, Clusters{k}, result);
    EXPECT_EQ(result.gap, 0) << k;
    EXPECT_TRUE(dual_matrix(to_similarity(zero), result, Clusters{k}, run).allFinite()) << k;
  }
}

TEST(SolveSdp, RefusesWhatIsNoProgram) {
  tertium::Run run;
  const MatrixXd similarity = random_symmetric(4, 1);
  EXPECT_THROW(solve_sdp(similarity, Clusters{0}, {}, run), InputError);
  EXPECT_THROW(solve_sdp(similarity, Clusters{5}, {}, run), InputError);
  EXPECT_THROW(solve_sdp(similarity, Lambda{-1}, {}, run), InputError);
  EXPECT_THROW(solve_sdp(similarity, Lambda{std::nan("")}, {}, run), InputError);
  MatrixXd skew = similarity;
  skew(0, 1) += 1;
  EXPECT_THROW(solve_sdp(skew, Clusters{2}, {}, run), InputError);
  MatrixXd nan = similarity;
  nan(1, 1) = std::nan("");
  EXPECT_THROW(solve_sdp(nan, Clusters{2}, {}, run), InputError);
}

TEST(SolveSdp, SaysWhenItIsNotThereYet) {
  const MatrixXd similarity = random_symmetric(20, 3);
  SdpOptions options;
  options.tolerance = 1e-12;
  options.most_iterations = 10;
  tertium::Run run;
  const SdpResult result = solve_sdp(similarity, Clusters{4}, options, run);
  EXPECT_EQ(result.status, SdpStatus::iteration_limit);
  EXPECT_GT(result.gap, options.tolerance);
  expect_honest(similarity, Clusters{4}, result);
}

TEST(SolveSdp, StopsWhenToldTo) {
  const MatrixXd similarity = random_symmetric(20, 3);
  SdpOptions options;
  options.tolerance = 1e-12;
  for (const bool search : {true, false}) {  // in the search already, and in the iteration
    options.search_partition = search;
    tertium::Run run({.progress = [](const std::string&, const ProgressUpdate&) { return false; }});
    EXPECT_THROW(solve_sdp(similarity, Clusters{4}, options, run), Cancelled) << search;
  }
}

TEST(SolveSdp, ExactAndDenseAgree) {
  tertium::Run run;
  SdpOptions options;
  options.tolerance = 1e-6;
  options.keep_dual = true;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const MatrixXd similarity = planted_similarity(30, 3, 4000, seed);
    for (const SdpProgram& program :
         {SdpProgram(Clusters{2}), SdpProgram(Clusters{3}), SdpProgram(Clusters{5}),
          SdpProgram(Lambda{20}), SdpProgram(Lambda{60})}) {
      const SdpResult exact = solve_sdp(to_similarity(similarity), program, options, run);
      const SdpResult dense = solve_sdp(similarity, program, options, run);
      SdpOptions plain = options;
      plain.search_partition = false;  // what the paper does
      const SdpResult cold = solve_sdp(similarity, program, plain, run);
      expect_honest(similarity, program, exact);
      expect_honest(similarity, program, dense);
      expect_honest(similarity, program, cold);
      const double scale = std::abs(exact.objective);
      EXPECT_NEAR(exact.objective, dense.objective, 2e-6 * scale);
      EXPECT_NEAR(exact.objective, cold.objective, 2e-6 * scale);
    }
  }
}

TEST(SolveSdp, CertifiesAnEasyProblemWithoutSolving) {
  const MatrixXd similarity = planted_similarity(60, 3, 30000, 1);
  const SimilarityMatrix exact = to_similarity(similarity);
  tertium::Run run;
  const SdpResult result = solve_sdp(exact, Clusters{3}, {}, run);
  ASSERT_EQ(result.status, SdpStatus::certified);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.gap, 0);
  expect_honest(similarity, Clusters{3}, result);
  // The witness proves the same bound through the general formula.
  const MatrixXd dual = dual_matrix(exact, result, Clusters{3}, run);
  EXPECT_GE(dual.minCoeff(), 0);
  EXPECT_NEAR(upper_bound(similarity, dual, Clusters{3}), result.objective, 1e-6);
  // Inside its interval it is the optimum of the other program, too.
  const double lambda = (*result.certificate->lo + *result.certificate->hi) / 2;
  const SdpResult priced = solve_sdp(exact, Lambda{lambda}, {}, run);
  EXPECT_EQ(priced.status, SdpStatus::certified);
  EXPECT_NEAR(priced.objective, result.objective - 3 * lambda, 1e-9);
}

TEST(SolveSdp, SaysThatAPartitionIsNotTheOptimum) {
  // Far too few answers: the optimum is no partition.
  const MatrixXd similarity = planted_similarity(40, 4, 600, 2);
  tertium::Run run;
  const SdpResult result = solve_sdp(to_similarity(similarity), Clusters{4}, {}, run);
  ASSERT_TRUE(result.certificate.has_value());
  EXPECT_EQ(result.certificate->verdict, Verdict::not_optimal);
  EXPECT_GT(result.objective, result.partition->value);
}

TEST(SolveSdp, GivesTheSameBitsAtAnyNumberOfThreads) {
  const MatrixXd similarity = planted_similarity(320, 4, 12000, 5);
  SdpOptions options;
  options.tolerance = 0.02;
  tertium::Run alone({.threads = 1});
  const SdpResult one = solve_sdp(similarity, Clusters{3}, options, alone);
  tertium::Run together({.threads = 3});
  const SdpResult three = solve_sdp(similarity, Clusters{3}, options, together);
  EXPECT_GT(one.iterations, 1);
  EXPECT_EQ(one.objective, three.objective);
  EXPECT_EQ(one.upper_bound, three.upper_bound);
  EXPECT_EQ(one.point.matrix(), three.point.matrix());
}

TEST(SolveSdp, ReachesEightDigits) {
  // Slow once: when the penalty followed the residuals without end, it never settled.
  const MatrixXd similarity = planted_similarity(60, 4, 4000, 1);
  SdpOptions options;
  options.tolerance = 1e-8;
  options.most_iterations = 3000;
  tertium::Run run;
  for (const int k : {2, 3}) {
    const SdpResult result = solve_sdp(similarity, Clusters{k}, options, run);
    EXPECT_EQ(result.status, SdpStatus::solved) << k << ": " << result.gap;
    expect_honest(similarity, Clusters{k}, result);
  }
}

/// What the optimum looks like, by a solve that leaves nothing open.
SdpResult exact_optimum(const SimilarityMatrix& similarity, int k) {
  SdpOptions exact;
  exact.tolerance = 1e-7;
  exact.search_partition = false;
  tertium::Run run;
  return solve_sdp(similarity, Clusters{k}, exact, run);
}

/// A solve for the eigenvalues of X.
SdpResult solve_for_spectrum(const SimilarityMatrix& similarity, int k, DenseOptions options) {
  options.goal = SdpGoal::spectrum;
  tertium::Run run;
  Problem problem(similarity, certified_search, {}, run);
  return solve(problem, Clusters{k}, options);
}

TEST(SolveSdp, FindsItsWayFromOneCluster) {
  // No partition is worth more than one cluster, but the optimum has a larger trace: the start at
  // 11'/n is far from it.
  SdpOptions options;
  options.tolerance = 1e-5;
  SdpOptions cold = options;
  cold.search_partition = false;
  int from_one = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const MatrixXd similarity = planted_similarity(40, 4, 1500, seed);
    tertium::Run run;
    const SdpResult result = solve_sdp(to_similarity(similarity), Lambda{25}, options, run);
    if (result.partition->clusters > 1 || result.status == SdpStatus::certified) continue;
    ++from_one;
    EXPECT_EQ(result.status, SdpStatus::solved) << seed;
    const SdpResult other = solve_sdp(similarity, Lambda{25}, cold, run);
    EXPECT_GT(other.trace, 1.1) << seed;
    EXPECT_NEAR(result.trace, other.trace, 0.02) << seed;
    expect_honest(similarity, Lambda{25}, result);
  }
  EXPECT_GT(from_one, 2);
}

TEST(SolveSdp, ForTheSpectrumFindsThatOfTheOptimum) {
  const SimilarityMatrix similarity = to_similarity(planted_similarity(40, 4, 4000, 3));
  for (const int k : {2, 3, 4, 5, 6}) {
    const SdpResult optimum = exact_optimum(similarity, k);
    for (const auto& [tolerance, theta_error] : {std::pair{1e-3, 1e-2}, std::pair{1e-5, 5e-4}}) {
      DenseOptions options;
      options.tolerance = tolerance;
      const SdpResult result = solve_for_spectrum(similarity, k, options);
      EXPECT_EQ(result.status, SdpStatus::solved) << k;
      EXPECT_LE(result.distance, tolerance) << k;
      // The bound and the feasible value are as rigorous as ever.
      EXPECT_GE(result.upper_bound, optimum.objective * (1 - 1e-9)) << k;
      EXPECT_LE(result.upper_bound, optimum.upper_bound * (1 + 2 * tolerance)) << k;
      EXPECT_LE(result.objective, optimum.upper_bound * (1 + 1e-9)) << k;
      EXPECT_GE(result.point.matrix().minCoeff(), 0) << k;
      EXPECT_NEAR(result.eigenvalues.sum(), k, 1e-9) << k;
      EXPECT_NEAR(result.theta, optimum.theta, theta_error) << k;
    }
  }
}

TEST(SolveSdp, ForTheSpectrumGoesByTheResidualWhereNoPartitionIsNear) {
  const SimilarityMatrix similarity = to_similarity(planted_similarity(40, 4, 400, 5));
  DenseOptions options;
  options.most_iterations = 2000;
  for (const int k : {2, 6}) {
    const SdpResult optimum = exact_optimum(similarity, k);
    const SdpResult result = solve_for_spectrum(similarity, k, options);
    EXPECT_GT(result.upper_bound, 1.07 * result.partition->value) << k;
    EXPECT_LT(result.iterations, options.most_iterations) << k;
    EXPECT_EQ(result.status, SdpStatus::solved) << k;
    EXPECT_LE(result.distance, options.tolerance) << k;
    EXPECT_NEAR(result.theta, optimum.theta, 1e-2) << k;
  }
}

TEST(SolveSdp, ForTheSpectrumDoesNotTakeAPartitionForTheOptimum) {
  // With a wide tolerance the partition is near enough in value, but its theta is always 1.
  const SimilarityMatrix similarity = to_similarity(planted_similarity(40, 4, 4000, 3));
  DenseOptions options;
  options.tolerance = 0.15;
  int near_in_value = 0;
  for (const int k : {2, 3, 5}) {
    const SdpResult optimum = exact_optimum(similarity, k);
    const SdpResult result = solve_for_spectrum(similarity, k, options);
    ASSERT_TRUE(result.partition.has_value());
    near_in_value += result.partition->value * (1 + options.tolerance) >= result.upper_bound;
    EXPECT_LT(optimum.theta, 0.95) << k;
    EXPECT_NEAR(result.theta, optimum.theta, 0.1) << k;
  }
  EXPECT_EQ(near_in_value, 3);
}

TEST(SolveSdp, ForTheTraceFindsThatOfTheOptimum) {
  const SimilarityMatrix similarity = to_similarity(planted_similarity(40, 4, 1500, 3));
  tertium::Run run;
  Problem problem(similarity, certified_search, {}, run);
  SdpOptions exact;
  exact.tolerance = 1e-7;
  exact.search_partition = false;
  DenseOptions options;
  options.goal = SdpGoal::trace;
  options.tolerance = 1e-2;
  for (const double lambda : {10.0, 15.0, 25.0}) {
    const SdpResult optimum = solve_sdp(similarity, Lambda{lambda}, exact, run);
    const SdpResult result = solve(problem, Lambda{lambda}, options);
    EXPECT_EQ(result.status, SdpStatus::solved) << lambda;
    EXPECT_NEAR(result.trace, optimum.trace, 0.2) << lambda;
    EXPECT_LT(result.iterations, optimum.iterations) << lambda;
    // However far apart, they hold what they say.
    EXPECT_LE(result.objective, optimum.upper_bound * (1 + 1e-9)) << lambda;
    EXPECT_GE(result.upper_bound, optimum.objective * (1 - 1e-9)) << lambda;
  }
}

TEST(SolveSdp, LeavesADullSpectrumEarly) {
  const SimilarityMatrix similarity = to_similarity(planted_similarity(40, 4, 4000, 3));
  DenseOptions options;
  options.tolerance = 1e-6;
  const SdpResult full = solve_for_spectrum(similarity, 3, options);
  options.dull = Dull{full.theta + 0.05};
  const SdpResult early = solve_for_spectrum(similarity, 3, options);
  EXPECT_LT(early.iterations, full.iterations);
  EXPECT_LE(early.distance, 1e-2);
  EXPECT_GT(early.distance, options.tolerance);
  options.dull = Dull{full.theta - 0.05};  // an interesting one is solved to the end
  const SdpResult interesting = solve_for_spectrum(similarity, 3, options);
  EXPECT_LE(interesting.distance, options.tolerance);
  EXPECT_NEAR(interesting.theta, full.theta, 1e-4);
}

TEST(SolveSdp, ProvesItsBoundByASymmetricMatrix) {
  // To the last bit, as the checker demands: products of BLAS are not so at the edges of blocks.
  tertium::Run run;
  SdpOptions options;
  options.most_iterations = 3;
  options.keep_dual = true;
  for (const int size : {61, 225, 251}) {
    const MatrixXd similarity = random_symmetric(size, 3);
    const MatrixXd dual = solve_sdp(similarity, Clusters{4}, options, run).dual;
    ASSERT_EQ(dual.rows(), size);
    EXPECT_EQ((dual - dual.transpose()).cwiseAbs().maxCoeff(), 0) << size;
  }
}

TEST(Extrapolation, FindsTheFixedPointOfALinearMapInFewSteps) {
  // A contraction so weak that plain iteration has only three digits after 500 steps.
  const MatrixXd target = random_symmetric(4, 8);
  MatrixXd rates(4, 4);
  rates << 0.99, 0.9, 0.5, 0.2, 0.9, 0.99, 0.2, 0.5, 0.5, 0.2, 0.99, 0.9, 0.2, 0.5, 0.9, 0.99;
  MatrixXd q = MatrixXd::Zero(4, 4);
  Extrapolation extrapolation(4);
  for (int step = 0; step < 12; ++step) {
    const MatrixXd image = target + rates.cwiseProduct(q - target);
    extrapolation.advance(q, image);
  }
  EXPECT_LT((q - target).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Extrapolation, GoesNoFartherThanTheMapWhereAllStepsAreTheSame) {
  const MatrixXd step = random_symmetric(5, 9) / 7;
  MatrixXd q = random_symmetric(5, 10) / 3;
  const MatrixXd start = q;
  Extrapolation extrapolation(5);
  constexpr int steps = 30;
  for (int i = 0; i < steps; ++i) extrapolation.advance(q, q + step);
  EXPECT_LT((q - start - steps * step).norm(), 1e-10);
}

TEST(BoundProver, ProvesWhatEigenvaluesSay) {
  const MatrixXd similarity = planted_similarity(450, 3, 60000, 3);
  std::mt19937 random(1);
  MatrixXd dual = MatrixXd::Zero(450, 450);
  tertium::Run run({.threads = 1});
  BoundProver prover(similarity, 3, run);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 450; ++i) {
      for (int j = 0; j < i; ++j) {
        dual(i, j) = std::max(0.0, dual(i, j) + static_cast<double>(random() % 3) / 8 - 0.1);
        dual(j, i) = dual(i, j);
      }
    }
    const double exact = upper_bound(similarity, dual, Clusters{3});
    const double slack = 1e-3 * exact;
    const double proved = prover.bound(dual, 1e300, slack);
    EXPECT_GE(proved, exact * (1 - 1e-9));
    EXPECT_LE(proved, exact + 20 * slack);
    EXPECT_TRUE(std::isinf(prover.bound(dual, exact / 2, slack)));
  }
}

TEST(UpperBound, HoldsForEveryNonnegativeDual) {
  std::mt19937 random(5);
  const MatrixXd similarity = random_symmetric(6, 5);
  for (int round = 0; round < 20; ++round) {
    MatrixXd dual = MatrixXd::Zero(6, 6);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j <= i; ++j) dual(i, j) = dual(j, i) = static_cast<double>(random() % 5);
    }
    for (const int k : {1, 2, 4}) {
      EXPECT_GE(upper_bound(similarity, dual, Clusters{k}),
                best_partition(similarity, k, 0) - 1e-9);
    }
    EXPECT_GE(upper_bound(similarity, dual, Lambda{2}), best_partition(similarity, 0, 2) - 1e-9);
  }
}

class SharedDataSdp : public SharedData {};

TEST_F(SharedDataSdp, CarHasTheKnownValues) {
  tertium::Run run;
  const auto loaded = load_similarity({data("car/central.csv")}, {}, run);
  const SimilarityMatrix& similarity = loaded.similarity;
  SdpOptions options;
  options.tolerance = 5e-6;
  const SdpResult two = solve_sdp(similarity, Clusters{2}, options, run);
  EXPECT_EQ(two.status, SdpStatus::solved);
  EXPECT_NEAR(two.objective, 228.910, 0.003);
  EXPECT_NEAR(two.theta, 0.927, 0.002);
  EXPECT_NEAR(solve_sdp(similarity, Clusters{3}, options, run).objective, 313.443, 0.004);
  EXPECT_NEAR(solve_sdp(similarity, Clusters{4}, options, run).objective, 349.226, 0.004);
  EXPECT_NEAR(solve_sdp(similarity, Lambda{28.749}, options, run).trace, 4.050, 0.01);
  EXPECT_NEAR(solve_sdp(similarity, Lambda{201.867}, options, run).trace, 1.664, 0.01);
}

}  // namespace
}  // namespace tertium::internal
