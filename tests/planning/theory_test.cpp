#include "tertium/planning/theory.hpp"

#include <cmath>
#include <numeric>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "tertium/certificate/certify.hpp"
#include "tertium/planning/recovery.hpp"
#include "tertium/planted/simulated_answers.hpp"
#include "tests/eigenvalues.hpp"
#include "tests/false_alarm.hpp"
#include "tests/sanitized.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

Labels labels_of(const std::vector<std::uint64_t>& sizes) {
  Labels labels;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    labels.insert(labels.end(), sizes[a], static_cast<std::int32_t>(a));
  }
  return labels;
}

/// E[S] by its definition: every question, asked with probability p, adds p e d times +1, 0 or -1.
MatrixXd expectation_by_questions(bool quadruplets, const Labels& labels, double p_e_d) {
  const auto n = static_cast<Index>(labels.size());
  MatrixXd s = MatrixXd::Zero(n, n);
  const auto inside = [&](Index i, Index j) {
    return labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)] ? 1 : 0;
  };
  const auto ask = [&](Index i, Index j, Index r, Index t) {
    const double preference = p_e_d * (inside(i, j) - inside(r, t));
    for (const auto& [x, y, sign] : {std::tuple{i, j, 1}, {r, t, -1}}) {
      s(x, y) += sign * preference;
      s(y, x) += sign * preference;
    }
  };
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index r = 0; r < n; ++r) {
        if (!quadruplets) {
          if (i != j && i != r && j < r) ask(i, j, i, r);
          continue;
        }
        for (Index t = r + 1; t < n && i < j; ++t) {
          if (std::pair(i, j) < std::pair(r, t)) ask(i, j, r, t);
        }
      }
    }
  }
  return s;
}

TEST(Theory, ExpectedSimilarityIsTheSumOverAllQuestions) {
  const std::vector<std::uint64_t> sizes = {5, 3, 1};
  const Labels labels = labels_of(sizes);
  for (const bool quadruplets : {false, true}) {
    const MatrixXd truth = expectation_by_questions(quadruplets, labels, 0.3 * 0.7);
    const MatrixXd blocks = expected_similarity(quadruplets, sizes, 0.3, 0.7);
    for (Index i = 0; i < 9; ++i) {
      for (Index j = 0; j < i; ++j) {
        EXPECT_NEAR(
            truth(i, j),
            blocks(labels[static_cast<std::size_t>(i)], labels[static_cast<std::size_t>(j)]),
            1e-12);
      }
    }
  }
  // The separations: p e d C(n, 2) for quadruplets as in the paper, 2 p e d (n - 1) for triplets.
  EXPECT_NEAR(*separation(expected_similarity(true, sizes, 1, 1)), 36, 1e-12);
  EXPECT_NEAR(*separation(expected_similarity(false, sizes, 1, 1)), 16, 1e-12);
  EXPECT_FALSE(separation(expected_similarity(false, {4}, 1, 1)).has_value());
}

// False-alarm rate: that of tests/false_alarm.hpp for each block.
TEST(Theory, SimulatedSimilaritiesHaveTheExpectedBlocks) {
  const PlantedModel model{{7, 5, 3}, 0.6};
  constexpr int runs = 400;
  tertium::Run context;
  for (const bool quadruplets : {false, true}) {
    const bool triplets = !quadruplets;
    Survey survey{triplets ? QuestionKind::triplet : QuestionKind::quadruplet, 600, {}, {0.8}};
    MatrixXd sum = MatrixXd::Zero(3, 3);
    MatrixXd squares = MatrixXd::Zero(3, 3);
    for (int run = 0; run < runs; ++run) {
      survey.seed = static_cast<std::uint64_t>(run);
      const SimulatedAnswers answers(model, survey);
      const SparseMap rows(similarity_of(answers, survey.answers, context));
      const MatrixXd means = block_means(rows, answers.labels(), context);
      sum += means;
      squares += means.cwiseProduct(means);
    }
    const double rate = sampling_rate(quadruplets, survey.answers, 15);
    const MatrixXd expected = expected_similarity(quadruplets, model.sizes, rate, 0.8 * 0.6);
    for (Index a = 0; a < 3; ++a) {
      for (Index b = 0; b <= a; ++b) {
        const double mean = sum(a, b) / runs;
        const double variance = squares(a, b) / runs - mean * mean;
        EXPECT_LT(std::abs(mean - expected(a, b)), largest_z() * std::sqrt(variance / runs));
      }
    }
  }
}

TEST(Theory, TheIntervalFollowsItsDefinition) {
  for (const int size : {12, 1050}) {        // the norm by LAPACK, and by Lanczos
    if (sanitized && size > 1000) continue;  // Lanczos has tests of its own
    Labels labels(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = i % 4 == 0 ? 1 : (i % 7 == 0 ? 2 : 0);
    MatrixXd similarity = random_symmetric(size, 3);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) {
        if (i != j && labels[static_cast<std::size_t>(i)] == labels[static_cast<std::size_t>(j)]) {
          similarity(i, j) += 3;
        }
      }
    }
    const SparseMap rows(to_similarity(similarity));
    tertium::Run run;
    const MatrixXd sigma = block_means(rows, labels, run);
    MatrixXd ideal(size, size);
    MatrixXd total = MatrixXd::Zero(3, 3);
    MatrixXd count = MatrixXd::Zero(3, 3);
    Eigen::Vector3d sizes = Eigen::Vector3d::Zero();
    for (Index i = 0; i < size; ++i) {
      const Index a = labels[static_cast<std::size_t>(i)];
      ++sizes(a);
      for (Index j = 0; j < size; ++j) {
        const Index b = labels[static_cast<std::size_t>(j)];
        ideal(i, j) = sigma(a, b);
        if (i != j) {
          total(a, b) += similarity(i, j);
          ++count(a, b);
        }
      }
    }
    EXPECT_LT((sigma - total.cwiseQuotient(count)).cwiseAbs().maxCoeff(), 1e-12);
    double delta_2 = 0;
    for (Index i = 0; i < size; ++i) {
      Eigen::Vector3d sums = Eigen::Vector3d::Zero();
      for (Index j = 0; j < size; ++j) {
        sums(labels[static_cast<std::size_t>(j)]) += similarity(i, j) - ideal(i, j);
      }
      delta_2 = std::max(delta_2, sums.cwiseQuotient(sizes).cwiseAbs().maxCoeff());
    }
    const MatrixXd deviation = similarity - ideal;
    const double norm = eigenvalues_of(deviation).cwiseAbs().maxCoeff();
    const PropositionInterval found = proposition_interval(rows, labels, sigma, run);
    EXPECT_NEAR(found.lo, norm, 1e-5 * norm);
    EXPECT_NEAR(found.delta_2, delta_2, 1e-9);
    const double delta_1 = *separation(sigma);
    EXPECT_NEAR(*found.hi, sizes.minCoeff() * std::min(delta_1 / 2, delta_1 - 6 * delta_2), 1e-9);
  }
}

TEST(Theory, WhatThePropositionProvesIsCertified) {
  const PlantedModel model{{40, 40}, 1};
  tertium::Run run;
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Survey survey{QuestionKind::quadruplet, 1'500'000, {}, {1}, 0, seed};
    const SimulatedAnswers answers(model, survey);
    const SparseMap rows(similarity_of(answers, survey.answers, run));
    const MatrixXd sigma = block_means(rows, answers.labels(), run);
    const PropositionInterval interval = proposition_interval(rows, answers.labels(), sigma, run);
    if (!interval.proves()) continue;
    ++proved;
    const Certificate certificate = certify(rows, answers.labels(), {}, run);
    EXPECT_EQ(certificate.verdict, Verdict::optimal);
    EXPECT_LE(*certificate.lo, interval.lo * (1 + 1e-6));
    EXPECT_GE(*certificate.hi, *interval.hi * (1 - 1e-6));
  }
  EXPECT_GT(proved, 0);
}

TEST(Theory, ConditionsFollowTheTheorem) {
  const TheoremConditions conditions =
      theorem_conditions(1000, 250, 330000, 0.75, 0.5, {2, 3, 5, 7});
  const double ln = std::log(1000.0);
  EXPECT_NEAR(conditions.least_delta, 2 * std::sqrt(1000 * ln) / 250, 1e-12);
  EXPECT_NEAR(conditions.least_answers, 3 * 1e9 * ln * ln / std::pow(0.375 * 250, 2), 1e-3);
  EXPECT_NEAR(conditions.lambda_lo, 5 * std::sqrt(330 * ln), 1e-9);
  EXPECT_NEAR(conditions.lambda_hi, 7 * 330000 * 0.375 * 250 / 1e6, 1e-9);
}

}  // namespace
}  // namespace tertium::internal
