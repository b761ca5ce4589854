#include <gtest/gtest.h>

#include "tertium/core/random.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/dense_product.hpp"
#include "tertium/spectral/krylov.hpp"
#include "tertium/spectral/leading_subspace.hpp"
#include "tertium/spectral/positive_definite.hpp"
#include "tertium/spectral/sparse_map.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(SparseMap, MultipliesLikeTheDenseMatrix) {
  tertium::Run run({.threads = 2});
  for (const std::int64_t denominator : {1, 8}) {
    const MatrixXd dense = random_symmetric(150, 3) / static_cast<double>(denominator);
    const SimilarityMatrix similarity = to_similarity(dense, denominator);
    const SparseMap map(similarity);
    EXPECT_EQ(to_dense(map), dense);
    for (const int columns : {1, 2, 3, 4, 7, 8, 13}) {
      const VectorBlock x = VectorBlock::Random(150, columns);
      VectorBlock y;
      map.multiply(x, y, run);
      EXPECT_LT((y - dense * x).cwiseAbs().maxCoeff(), 1e-11);
    }
  }
}

TEST(DenseProduct, HasTheSameBitsAtAnyNumberOfThreads) {
  const MatrixXd a = random_symmetric(301, 1) / 3;
  const MatrixXd b = random_symmetric(301, 2).leftCols(90) / 7;
  MatrixXd product;
  MatrixXd square;
  tertium::Run alone({.threads = 1});
  multiply(a, b, product, alone);
  multiply_by_transpose(b, square, alone);
  EXPECT_LT((product - a.lazyProduct(b)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((square - b.lazyProduct(b.transpose())).cwiseAbs().maxCoeff(), 1e-10);
  for (const int threads : {2, 3}) {
    tertium::Run run({.threads = threads});
    MatrixXd again;
    multiply(a, b, again, run);
    EXPECT_EQ(again, product);
    multiply_by_transpose(b, again, run);
    EXPECT_EQ(again, square);
  }
}

TEST(SparseMap, HoldsIntegersOfAnyLength) {
  tertium::Run run;
  for (const double largest : {127.0, -128.0, 128.0, -129.0, 2147483647.0, 2147483648.0}) {
    MatrixXd dense = MatrixXd::Zero(9, 9);  // few pairs: rows are not kept in full
    dense(1, 0) = dense(0, 1) = largest;
    dense(7, 4) = dense(4, 7) = -1;
    const SparseMap map(to_similarity(dense));
    EXPECT_EQ(to_dense(map), dense);
    const VectorBlock identity = VectorBlock::Identity(9, 9);
    VectorBlock product;
    map.multiply(identity, product, run);
    EXPECT_EQ(MatrixXd(product), dense);
    const auto sums = map.sums_to_clusters({0, 0, 1, 1, 1, 1, 1, 1, 1}, 2, run);
    EXPECT_EQ(sums[1], static_cast<std::int64_t>(largest));  // of item 1 to cluster 0
    EXPECT_EQ(sums[10], static_cast<std::int64_t>(0));       // of item 1 to cluster 1
  }
}

TEST(SparseMap, HoldsIntegersOfMoreThan32Bits) {
  MatrixXd dense = random_symmetric(5, 3);
  dense(1, 0) = dense(0, 1) = 5e12;
  const VectorBlock x = VectorBlock::Random(5, 1);
  VectorBlock y;
  tertium::Run run;
  SparseMap(to_similarity(dense)).multiply(x, y, run);
  EXPECT_LT((y - dense * x).cwiseAbs().maxCoeff(), 1e-2);
}

TEST(SparseMap, GivesTheSameBitsWithAnyNumberOfThreads) {
  const SimilarityMatrix similarity = to_similarity(random_symmetric(1200, 5));
  const VectorBlock x = VectorBlock::Random(1200, 5);
  VectorBlock one;
  VectorBlock two;
  const SparseMap map(similarity);
  tertium::Run alone({.threads = 1});
  tertium::Run together({.threads = 2});
  map.multiply(x, one, alone);
  map.multiply(x, two, together);
  EXPECT_EQ(one, two);
}

/// Rows with a few holes are kept in full, rows with many are not: both are the same matrix.
TEST(SparseMap, IsTheSameWithAnyShareOfPairs) {
  tertium::Run run;
  for (const int holes : {0, 4, 5, 20, 90}) {
    for (const Eigen::Index items : {2, 7, 8, 9, 37}) {
      Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(items, items);
      for (Eigen::Index i = 0; i < items; ++i) {
        for (Eigen::Index j = 0; j < i; ++j) {
          const auto mixed = static_cast<int>((i * 61 + j * 37) % 101);
          dense(i, j) = dense(j, i) = mixed < holes ? 0 : mixed - 200;
        }
      }
      const SparseMap map(to_similarity(dense));
      for (const Eigen::Index width : {1, 2, 3, 4, 5, 11}) {
        const VectorBlock x = Eigen::MatrixXd::Random(items, width);
        VectorBlock y;
        map.multiply(x, y, run);
        EXPECT_LT((y - VectorBlock(dense * x)).cwiseAbs().maxCoeff(), 1e-9);
      }
      for (Eigen::Index i = 0; i < items; ++i) EXPECT_EQ(map.row(i), dense.col(i));
      for (const std::size_t clusters : {1U, 3U, 16U, 17U}) {
        std::vector<std::int32_t> labels(static_cast<std::size_t>(items));
        Eigen::MatrixXd member = Eigen::MatrixXd::Zero(items, static_cast<Eigen::Index>(clusters));
        for (std::size_t i = 0; i < labels.size(); ++i) {
          labels[i] = static_cast<std::int32_t>(i * i % clusters);
          member(static_cast<Eigen::Index>(i), labels[i]) = 1;
        }
        const Eigen::MatrixXd sums = dense * member;
        const auto found = map.sums_to_clusters(labels, clusters, run);
        ASSERT_EQ(found.size(), static_cast<std::size_t>(sums.size()));
        for (std::size_t at = 0; at < found.size(); ++at) {
          EXPECT_EQ(static_cast<double>(found[at]), sums.data()[at]);
        }
      }
    }
  }
}

TEST(SparseMap, TakesOtherValuesForTheSamePairs) {
  const SimilarityMatrix before = to_similarity(random_symmetric(30, 3));
  SimilarityMatrix after = before;
  SparseMap map(before);
  tertium::Run run;
  const VectorBlock identity = VectorBlock::Identity(30, 30);
  VectorBlock product;
  for (const std::int64_t factor : {std::int64_t{0}, std::int64_t{1} << 40U, std::int64_t{-3}}) {
    for (std::size_t at = 0; at < after.value.size(); ++at) {
      after.value[at] = factor * before.value[at] + static_cast<std::int64_t>(at % 2);
    }
    map.set_values(after.value);
    map.multiply(identity, product, run);
    EXPECT_EQ(MatrixXd(product), to_dense(SparseMap(after)));
  }
}

TEST(LeadingEigenpairs, BeginWithGivenVectors) {
  const MatrixXd matrix = random_symmetric(60, 7);
  const SymmetricEigen exact = symmetric_eigen(matrix);
  KrylovOptions options;
  options.block = 2;
  options.most_steps = 1;
  options.start = exact.vectors.rightCols(2);
  tertium::Run run;
  const KrylovResult found = leading_eigenpairs(DenseMap(matrix), 2, options, run);
  EXPECT_NEAR(found.values[0], exact.values[59], 1e-9);
  EXPECT_NEAR(found.values[1], exact.values[58], 1e-9);
}

TEST(LeadingEigenpairs, MatchTheFullDecomposition) {
  tertium::Run run;
  for (const int size : {1, 2, 5, 40, 200}) {
    const MatrixXd matrix = random_symmetric(size, 7);
    const SymmetricEigen exact = symmetric_eigen(matrix);
    KrylovOptions options;
    options.block = 3;
    options.most_steps = 100;
    const int wanted = std::min(size, 4);
    const KrylovResult found = leading_eigenpairs(DenseMap(matrix), wanted, options, run);
    ASSERT_EQ(found.vectors.cols(), wanted);
    for (int c = 0; c < wanted; ++c) {
      EXPECT_NEAR(found.values[c], exact.values[size - 1 - c], 1e-8) << size;
      const VectorXd v = found.vectors.col(c);
      EXPECT_LT((matrix * v - found.values[c] * v).norm(), 1e-5) << size;
    }
    EXPECT_NEAR(found.range.lowest, exact.values[0], 1e-8);
  }
}

TEST(LeadingEigenpairs, KnowWhenTheSpaceIsInvariant) {
  const MatrixXd rank_one = VectorXd::Ones(50) * VectorXd::Ones(50).transpose();
  KrylovOptions options;
  options.block = 2;
  tertium::Run run;
  const KrylovResult found = leading_eigenpairs(DenseMap(rank_one), 1, options, run);
  EXPECT_TRUE(found.complete);
  EXPECT_NEAR(found.values[0], 50, 1e-9);
  const MatrixXd zero = MatrixXd::Zero(50, 50);
  EXPECT_NEAR(leading_eigenpairs(DenseMap(zero), 1, options, run).values[0], 0, 1e-12);
}

TEST(LargestEigenvalue, IsBoundedFromBothSides) {
  tertium::Run run;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const MatrixXd matrix = random_symmetric(120, seed);
    const double top = symmetric_eigenvalues(matrix)[119];
    KrylovOptions options;
    options.block = 4;
    options.random = Random(seed);
    for (const int steps : {3, 6, 12, 25}) {
      options.most_steps = steps;
      const KrylovResult found = leading_eigenpairs(DenseMap(matrix), 1, options, run);
      const LargestEigenvalue bound = largest_eigenvalue(found.range, 120, 4, 1e-6);
      EXPECT_LE(bound.ritz, top + 1e-9);
      EXPECT_GE(bound.upper, top - 1e-9);
    }
  }
}

TEST(LeadingSubspace, SurvivesAMatrixThatLeavesItsOldValuesBehind) {
  // The values known from the first matrix lie far below the whole spectrum of the second.
  constexpr Eigen::Index size = 500;
  tertium::Run run;
  LeadingSubspace subspace(size, run);
  const auto highest = [](const VectorXd& values) { return 0.9 * values[0]; };
  const VectorXd ramp = VectorXd::LinSpaced(size, 0, 1);
  subspace.update(MatrixXd((ramp.array() - 5000).matrix().asDiagonal()), 1.0,
                  [](const VectorXd& values) { return values[0]; });
  const MatrixXd second = MatrixXd(1000 * ramp.asDiagonal());
  subspace.update(second, 1.0, highest);
  ASSERT_TRUE(subspace.vectors().allFinite());
  const MatrixXd centring = MatrixXd::Identity(size, size).array() - 1.0 / size;
  const VectorXd expected = symmetric_eigenvalues(centring * second * centring);
  EXPECT_NEAR(subspace.values()[0], expected[size - 1], 1.0);
}

TEST(LeadingSubspace, FollowsAChangingMatrix) {
  const int size = 400;
  MatrixXd matrix = random_symmetric(size, 3);
  const MatrixXd drift = random_symmetric(size, 4) / 50;
  const VectorXd ones = VectorXd::Ones(size);
  const MatrixXd c =
      MatrixXd::Identity(size, size) - ones * ones.transpose() / static_cast<double>(size);
  tertium::Run run;
  LeadingSubspace subspace(size, run);
  for (int step = 0; step < 4; ++step, matrix += drift) {
    const VectorXd exact = symmetric_eigenvalues(c * matrix * c).reverse();
    // Loosely converged in one call, tightly after several.
    for (int call = 0; call < 6; ++call) {
      subspace.update(matrix, 1e-4, [](const VectorXd& values) {
        return values[std::min<Eigen::Index>(9, values.size() - 1)] - 1e-9;
      });
    }
    for (int i = 0; i < 10; ++i) {
      EXPECT_NEAR(subspace.values()[i], exact[i], 1e-5) << step << " " << i;
    }
    EXPECT_LT((subspace.vectors().transpose() * ones).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(LeadingSubspace, FindsRoughPairsInOrthonormalVectors) {
  // Rough enough for products in single precision, and so many calls that the filter is adapted.
  constexpr Eigen::Index size = 500;
  const MatrixXd centring = MatrixXd::Identity(size, size).array() - 1.0 / size;
  MatrixXd matrix = random_symmetric(size, 7);
  const MatrixXd drift = random_symmetric(size, 8) / 100;
  const double norm = matrix.norm() / std::sqrt(static_cast<double>(size));
  tertium::Run run;
  LeadingSubspace subspace(size, run);
  for (int step = 0; step < 12; ++step, matrix += drift) {
    const double tolerance = 1e-2 * norm;
    subspace.update(matrix, tolerance, [](const VectorXd& values) {
      return values[std::min<Eigen::Index>(9, values.size() - 1)];
    });
    const MatrixXd vectors = subspace.vectors().leftCols(9);
    const MatrixXd residual =
        centring * matrix * vectors - vectors * subspace.values().head(9).asDiagonal();
    EXPECT_LT(residual.colwise().norm().maxCoeff(), 1.01 * tolerance) << step;
    EXPECT_LT((vectors.transpose() * vectors - MatrixXd::Identity(9, 9)).norm(), 1e-12) << step;
  }
}

TEST(DenseProduct, WithItsTransposeIsSymmetric) {
  for (const Eigen::Index size : {1, 2, 7, 300, 301}) {
    for (const Eigen::Index rank : {0, 1, 90}) {
      const MatrixXd a = MatrixXd::Random(size, rank);
      tertium::Run run({.threads = 2});
      MatrixXd square;
      multiply_by_transpose(a, square, run);
      EXPECT_EQ(square, MatrixXd(square.transpose())) << size << " " << rank;
      EXPECT_LT((square - a * a.transpose()).cwiseAbs().maxCoeff(), 1e-12) << size << " " << rank;
    }
  }
}

TEST(PositiveDefinite, IsProvedOnlyWhereItIsTrue) {
  const MatrixXd matrix = random_symmetric(80, 9);
  const MatrixXd identity = MatrixXd::Identity(80, 80);
  const double top = symmetric_eigenvalues(matrix)[79];
  for (const double margin : {1e-3, 1e-6, 1e-9}) {
    MatrixXd above = (top + margin) * identity - matrix;
    EXPECT_TRUE(is_proved_positive_definite(above, 0)) << margin;
    MatrixXd below = (top - margin) * identity - matrix;
    EXPECT_FALSE(is_proved_positive_definite(below, 0)) << margin;
    MatrixXd vague = (top + margin) * identity - matrix;
    EXPECT_FALSE(is_proved_positive_definite(vague, 2 * margin)) << margin;
  }
  MatrixXd semidefinite = VectorXd::Ones(30) * VectorXd::Ones(30).transpose();
  EXPECT_FALSE(is_proved_positive_definite(semidefinite, 0));
}

}  // namespace
}  // namespace tertium::internal
