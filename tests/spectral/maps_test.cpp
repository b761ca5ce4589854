#include <Eigen/QR>
#include <gtest/gtest.h>

#include "tertium/certificate/witness.hpp"
#include "tertium/core/random.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/sparse_map.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// So many items that products with their S are divided among three threads; fewer where sanitizers
/// would take minutes.
constexpr int many = sanitized ? 90 : 520;

Labels labels_mod(int size, int clusters) {
  Labels labels(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) labels[static_cast<std::size_t>(i)] = (i * i + i / 7) % clusters;
  return labels;
}

/// Blocks of random numbers with all widths that products treat differently.
std::vector<VectorBlock> blocks(Index size) {
  std::vector<VectorBlock> result;
  for (const int columns : {1, 2, 3, 8, 13}) result.push_back(VectorBlock::Random(size, columns));
  return result;
}

MatrixXd product_by_definition(const MatrixXd& matrix, const MatrixXd& x) {
  MatrixXd y = MatrixXd::Zero(x.rows(), x.cols());
  for (Index c = 0; c < x.cols(); ++c) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      for (Index i = 0; i < matrix.rows(); ++i) y(i, c) += matrix(i, j) * x(j, c);
    }
  }
  return y;
}

/// P = I - Z N^-1 Z', entry by entry; with one cluster that is C.
MatrixXd projection(const Labels& labels) {
  const auto size = static_cast<Index>(labels.size());
  MatrixXd p(size, size);
  for (Index i = 0; i < size; ++i) {
    const auto own = labels[static_cast<std::size_t>(i)];
    const auto members = static_cast<double>(std::count(labels.begin(), labels.end(), own));
    for (Index j = 0; j < size; ++j) {
      const bool together = labels[static_cast<std::size_t>(j)] == own;
      p(i, j) = (i == j ? 1 : 0) - (together ? 1 / members : 0);
    }
  }
  return p;
}

/// Compares all that a map does with the matrix that it stands for; `space` is the projection on
/// the vectors that it may be given.
void expect_is(const SymmetricMap& map, const MatrixXd& matrix, const MatrixXd& space) {
  const Index size = matrix.rows();
  const double tolerance = 1e-12 * static_cast<double>(size) * (1 + matrix.cwiseAbs().maxCoeff());
  ASSERT_EQ(map.size(), size);
  for (Index i = 0; i < size; ++i) {
    ASSERT_LT((map.row(i) - matrix.col(i)).cwiseAbs().maxCoeff(), tolerance) << i;
  }
  tertium::Run alone({.threads = 1});
  tertium::Run together({.threads = 3});
  VectorBlock one = VectorBlock::Ones(3, 5);  // gets its shape from x, whatever it was
  VectorBlock three;
  for (VectorBlock x : blocks(size)) {
    const MatrixXd inside = product_by_definition(space, x);
    map.project(x);
    EXPECT_LT((x - inside).cwiseAbs().maxCoeff(), tolerance);
    map.multiply(x, one, alone);
    map.multiply(x, three, together);
    EXPECT_EQ(one, three);
    EXPECT_LT((one - product_by_definition(matrix, x)).cwiseAbs().maxCoeff(), tolerance);
  }
  const Labels labels = labels_mod(static_cast<int>(size), 3);
  constexpr int clusters = 4;  // the last one is empty
  MatrixXd expected = MatrixXd::Zero(size, clusters);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      expected(i, labels[static_cast<std::size_t>(j)]) += matrix(i, j);
    }
  }
  const MatrixXd sums = map.cluster_sums(labels, clusters, alone);
  EXPECT_LT((sums - expected).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_EQ(map.cluster_sums(labels, clusters, together), sums);
}

void expect_is(const SymmetricMap& map, const MatrixXd& matrix) {
  expect_is(map, matrix, MatrixXd::Identity(matrix.rows(), matrix.cols()));
}

TEST(SymmetricMaps, Sparse) {
  for (const std::int64_t denominator : {1, 8}) {
    const MatrixXd matrix = random_symmetric(many, 1) / static_cast<double>(denominator);
    expect_is(SparseMap(to_similarity(matrix, denominator)), matrix);
  }
  // Few entries, rows without any among them.
  MatrixXd sparse = random_symmetric(40, 2);
  for (Index i = 0; i < 40; ++i) {
    for (Index j = 0; j < 40; ++j) {
      if ((i + j) % 5 != 0 || i % 7 == 3 || j % 7 == 3) sparse(i, j) = 0;
    }
  }
  const SparseMap map(to_similarity(sparse));
  EXPECT_EQ(static_cast<Index>(map.nonzeros()), (sparse.array() != 0).count());
  expect_is(map, sparse);
  expect_is(SparseMap(to_similarity(MatrixXd::Zero(1, 1))), MatrixXd::Zero(1, 1));
  EXPECT_EQ(SparseMap(IntegerTriangle()).size(), 0);
}

TEST(SymmetricMaps, SparseOfMoreThan32Bits) {
  MatrixXd matrix = random_symmetric(30, 3);
  matrix(7, 2) = matrix(2, 7) = 5e12;
  expect_is(SparseMap(to_similarity(matrix)), matrix);
}

TEST(SymmetricMaps, SparseRestrictedToSomeItems) {
  for (const std::int64_t denominator : {1, 4}) {
    const MatrixXd matrix = random_symmetric(many, 4) / static_cast<double>(denominator);
    const SparseMap map(to_similarity(matrix, denominator));
    for (const std::size_t step : {1U, 2U, 7U}) {
      std::vector<std::size_t> items;
      for (std::size_t i = step - 1; i < many; i += step) items.push_back(i);
      const auto size = static_cast<Index>(items.size());
      MatrixXd part(size, size);
      for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < size; ++j) {
          part(i, j) = matrix(static_cast<Index>(items[static_cast<std::size_t>(i)]),
                              static_cast<Index>(items[static_cast<std::size_t>(j)]));
        }
      }
      const SparseMap restricted = map.restricted(items);
      EXPECT_EQ(restricted.denominator(), map.denominator());
      expect_is(restricted, part);
    }
    EXPECT_EQ(map.restricted({}).size(), 0);
  }
}

TEST(SymmetricMaps, Dense) {
  const MatrixXd matrix = random_symmetric(many, 5) / 7;
  expect_is(DenseMap(matrix), matrix);
}

/// Z B Z', entry by entry.
MatrixXd block_constant(const Labels& labels, const MatrixXd& blocks) {
  const auto size = static_cast<Index>(labels.size());
  MatrixXd matrix(size, size);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      matrix(i, j) =
          blocks(labels[static_cast<std::size_t>(i)], labels[static_cast<std::size_t>(j)]);
    }
  }
  return matrix;
}

TEST(SymmetricMaps, BlockConstant) {
  const Labels labels = labels_mod(many, 5);
  MatrixXd blocks = random_symmetric(5, 6) / 3;
  blocks.diagonal() << 1, -2, 3, 0, 0.5;
  expect_is(BlockConstantMap(labels, blocks), block_constant(labels, blocks));
}

TEST(SymmetricMaps, Sum) {
  const MatrixXd matrix = random_symmetric(many, 7);
  const SparseMap sparse(to_similarity(matrix));
  const Labels labels = labels_mod(many, 4);
  const MatrixXd blocks = random_symmetric(4, 8) / 3;
  const BlockConstantMap constant(labels, blocks);
  const MatrixXd written_out = block_constant(labels, blocks);
  expect_is(SumMap({{1, &sparse}, {-1, &constant}}), matrix - written_out);
  expect_is(SumMap({{0.5, &sparse}, {3, &constant}, {-2, &sparse}}),
            -1.5 * matrix + 3 * written_out);
  expect_is(SumMap({{-1, &sparse}}), -matrix);
}

TEST(SymmetricMaps, Centred) {
  const MatrixXd matrix = random_symmetric(many, 9);
  const SparseMap sparse(to_similarity(matrix));
  const MatrixXd c = projection(Labels(many, 0));
  const MatrixXd expected = product_by_definition(c, product_by_definition(matrix, c));
  expect_is(CentredMap(sparse), expected, c);
  MatrixXd centred = matrix;
  centre(centred);
  EXPECT_LT((centred - expected).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(SymmetricMaps, Projected) {
  const MatrixXd matrix = random_symmetric(many, 10);
  const SparseMap sparse(to_similarity(matrix));
  const Labels labels = labels_mod(many, 6);
  const MatrixXd p = projection(labels);
  expect_is(ProjectedMap(sparse, labels),
            product_by_definition(p, product_by_definition(matrix, p)), p);
}

TEST(SymmetricMaps, OnTheComplement) {
  const MatrixXd matrix = random_symmetric(many, 11);
  const SparseMap sparse(to_similarity(matrix));
  const MatrixXd basis = Eigen::HouseholderQR<MatrixXd>(MatrixXd::Random(many, 4)).householderQ() *
                         MatrixXd::Identity(many, 4);
  MatrixXd p = MatrixXd::Identity(many, many);
  for (Index c = 0; c < 4; ++c) p -= basis.col(c) * basis.col(c).transpose();
  expect_is(ComplementMap(sparse, basis),
            product_by_definition(p, product_by_definition(matrix, p)), p);
}

TEST(SymmetricMaps, OfTheWitness) {
  const int size = 150;
  const MatrixXd matrix = planted_similarity(size, 3, 60000, 1);
  const SparseMap sparse(to_similarity(matrix));
  tertium::Run run;
  const Labels labels = search_partition(sparse, 3, {}, run).labels;
  const Witness witness(sparse, labels, run);
  const MatrixXd p = projection(labels);
  for (const double share : {0.3, 0.9}) {
    const double lambda = share * witness.highest();
    // Gamma from its definition, with P on both sides.
    const MatrixXd u = witness.row_sums(lambda);
    MatrixXd gamma = MatrixXd::Zero(size, size);
    for (Index i = 0; i < size; ++i) {
      for (Index r = 0; r < size; ++r) {
        const auto j = labels[static_cast<std::size_t>(i)];
        const auto l = labels[static_cast<std::size_t>(r)];
        if (j == l) continue;
        double total = 0;
        for (Index m = 0; m < size; ++m) {
          if (labels[static_cast<std::size_t>(m)] == j) total += u(m, l);
        }
        gamma(i, r) = u(i, l) * u(r, j) / total;
      }
    }
    expect_is(GammaMap(witness, lambda), product_by_definition(p, product_by_definition(gamma, p)));
  }
}

}  // namespace
}  // namespace tertium::internal
