#include "tertium/problem/problem.hpp"

#include <array>

#include <gtest/gtest.h>

#include "tertium/certificate/certify.hpp"
#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/methods/paper.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/spectral/symmetric_eigen.hpp"
#include "tests/small_similarity.hpp"

namespace tertium::internal {
namespace {

using Eigen::MatrixXd;

/// S of noisy triplets with what a problem asks about them.
SimilarityMatrix planted(int items, int clusters, int answers, unsigned seed) {
  SimilarityMatrix similarity = to_similarity(planted_similarity(items, clusters, answers, seed));
  similarity.comparisons = static_cast<std::uint64_t>(answers);
  similarity.weight = answers;
  return similarity;
}

/// Counts how often the work asks whether to go on: what is looked up asks nobody.
struct Questions {
  int count = 0;
  tertium::Run run{{.progress = [this](const std::string&, const ProgressUpdate&) {
    ++count;
    return true;
  }}};
};

TEST(Problem, ComputesEveryPartOnce) {
  const SimilarityMatrix similarity = planted(30, 3, 900, 4);
  Questions asked;
  Problem problem(similarity, certified_search, {}, asked.run);
  const auto twice = [&](const auto& part) {
    const auto* first = &part();
    EXPECT_GT(asked.count, 0);
    asked.count = 0;
    EXPECT_EQ(&part(), first);
    EXPECT_EQ(asked.count, 0);
  };
  for (const int k : {3, 4}) {
    twice([&]() -> const auto& { return problem.partition(k); });
    twice([&]() -> const auto& { return problem.certificate(k); });
    twice([&]() -> const auto& { return problem.solution(k, Effort::full); });
    twice([&]() -> const auto& { return problem.candidate(k); });
    // What came on the way to the candidate was not computed anew either.
    asked.count = 0;
    problem.partition(k);
    problem.certificate(k);
    problem.solution(k, Effort::affordable);
    EXPECT_EQ(asked.count, 0);
  }
  const double* entries = problem.dense().data();
  EXPECT_EQ(problem.dense().data(), entries);
  EXPECT_EQ(problem.dense(), planted_similarity(30, 3, 900, 4));
}

TEST(Problem, SolvesAgainOnlyWhatWasLeftEarly) {
  const SimilarityMatrix similarity = planted(320, 4, 60000, 2);  // solved for the spectrum
  Questions asked;
  Problem problem(similarity, certified_search, {}, asked.run);
  const Dull anything{2};
  const SdpResult early = problem.solution(2, Effort::full, anything);
  EXPECT_TRUE(early.dull);
  asked.count = 0;
  problem.solution(2, Effort::full, anything);
  EXPECT_EQ(asked.count, 0);
  const SdpResult& full = problem.solution(2, Effort::full);
  EXPECT_FALSE(full.dull);
  EXPECT_LE(full.distance, problem.options().tolerance);
  EXPECT_GT(full.iterations, early.iterations);
  asked.count = 0;
  EXPECT_EQ(problem.solution(2, Effort::full, anything).iterations, full.iterations);
  EXPECT_EQ(asked.count, 0);
}

TEST(Problem, FindsTheSameEigenpairsWhoeverAskedBefore) {
  const MatrixXd dense = planted_similarity(60, 4, 9000, 1);
  const SimilarityMatrix similarity = to_similarity(dense);
  tertium::Run run;
  Problem step_by_step(similarity, certified_search, {}, run);
  Problem at_once(similarity, certified_search, {}, run);
  EXPECT_GE(step_by_step.eigenpairs(3).vectors.cols(), 3);
  const MatrixXd later = step_by_step.eigenpairs(12).vectors;
  const KrylovResult& found = at_once.eigenpairs(12);
  EXPECT_GE(found.vectors.cols(), 12);
  EXPECT_EQ(later, found.vectors);
  EXPECT_EQ(&at_once.eigenpairs(5), &found);
  const Eigen::VectorXd exact = symmetric_eigenvalues(dense).reverse();
  for (Eigen::Index i = 0; i < 4; ++i) EXPECT_NEAR(found.values[i], exact[i], 1e-6 * exact[0]);
  EXPECT_EQ(at_once.eigenpairs(1000).vectors.cols(), 60);
}

TEST(Problem, ForgetsEverythingWhenItsSimilarityChanges) {
  const MatrixXd before = planted_similarity(40, 2, 9000, 1);
  const MatrixXd after = planted_similarity(40, 4, 9000, 2);
  const SimilarityMatrix similarity = to_similarity(before);
  tertium::Run run;
  Problem problem(similarity, certified_search, {}, run);
  const Labels halves = problem.partition(2).labels;
  const double top = problem.eigenpairs(1).values[0];
  problem.dense();
  problem.change([&](SparseMap& map) { map = SparseMap(to_similarity(after)); });
  EXPECT_EQ(problem.dense(), after);
  EXPECT_NE(problem.eigenpairs(1).values[0], top);
  for (const int k : {2, 4}) {
    const FoundPartition& found = problem.partition(k);
    EXPECT_NEAR(found.value, value_by_definition(after, found.labels), 1e-9);
  }
  EXPECT_NE(problem.partition(2).labels, halves);
}

/// Noise, in which searches with different seeds end in different partitions: the worst of them and
/// the best.
struct LocalOptima {
  SimilarityMatrix similarity = planted(90, 9, 2500, 5);
  int clusters = 12;
  std::uint64_t worst_seed = 0;
  FoundPartition worst;
  FoundPartition best;

  LocalOptima() {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      tertium::Run run({.seed = seed});
      Problem problem(similarity, certified_search, {}, run);
      const FoundPartition& found = problem.partition(clusters);
      if (seed == 1 || found.value < worst.value) {
        worst = found;
        worst_seed = seed;
      }
      if (found.value > best.value) best = found;
    }
  }
};

bool same(const Certificate& a, const Certificate& b) {
  return a.verdict == b.verdict && a.lo == b.lo && a.hi == b.hi;
}

TEST(Problem, TakesOnlyBetterPartitionsAndProvesThemAnew) {
  const LocalOptima optima;
  ASSERT_GT(optima.best.value, optima.worst.value);
  tertium::Run run({.seed = optima.worst_seed});
  Problem problem(optima.similarity, certified_search, {}, run);
  const int k = optima.clusters;
  const FoundPartition before = problem.partition(k);
  const Certificate of_before = problem.certificate(k);
  ASSERT_EQ(before.labels, optima.worst.labels);

  Labels worse = before.labels;
  std::swap(
      worse[0],
      worse[static_cast<std::size_t>(
          std::find_if(worse.begin(), worse.end(), [&](auto label) { return label != worse[0]; }) -
          worse.begin())]);
  EXPECT_FALSE(problem.offer(worse));
  EXPECT_FALSE(problem.offer(before.labels));
  EXPECT_EQ(problem.partition(k).labels, before.labels);
  EXPECT_TRUE(same(problem.certificate(k), of_before));

  Labels renamed = optima.best.labels;  // whatever its clusters are called
  for (auto& label : renamed) label = k - 1 - label;
  EXPECT_TRUE(problem.offer(renamed));
  EXPECT_FALSE(problem.offer(renamed));
  EXPECT_EQ(problem.partition(k).labels, in_order_of_size(renamed));
  EXPECT_EQ(problem.partition(k).clusters, k);
  EXPECT_EQ(problem.partition(k).value, optima.best.value);
  const Certificate anew = certify(problem.map(), problem.partition(k).labels, {}, run);
  EXPECT_TRUE(same(problem.certificate(k), anew));
  EXPECT_FALSE(same(problem.certificate(k), of_before));
}

TEST(Problem, HasNoCandidateWorseThanAPartitionThatWasOfferedLater) {
  const LocalOptima optima;
  SimilarityMatrix similarity = optima.similarity;
  similarity.rule = precomputed;  // so that no consensus takes its place
  tertium::Run run({.seed = optima.worst_seed});
  Problem problem(similarity, certified_search, {}, run);
  const int k = optima.clusters;
  const double before = problem.candidate(k).value;
  const bool better = problem.offer(optima.best.labels);
  EXPECT_EQ(better, optima.best.value > before);
  EXPECT_EQ(problem.candidate(k).value, problem.partition(k).value);
  EXPECT_GE(problem.candidate(k).value, optima.best.value);
}

TEST(Problem, HasCandidatesThatAreTheBestSeenOrAConsensus) {
  std::array<int, 3> seen{};  // proved, best, consensus
  for (unsigned seed = 1; seed <= 8; ++seed) {
    for (const int answers : {400, 4000}) {
      const MatrixXd dense = planted_similarity(30, 3, answers, seed);
      const SimilarityMatrix similarity = planted(30, 3, answers, seed);
      tertium::Run run({.seed = seed});
      Problem problem(similarity, certified_search, {}, run);
      for (const int k : {1, 2, 3, 4, 30}) {
        const Candidate& candidate = problem.candidate(k);
        EXPECT_EQ(candidate.clusters, k);
        EXPECT_EQ(count_clusters(candidate.labels), k);
        EXPECT_NEAR(candidate.value, value_by_definition(dense, candidate.labels), 1e-9);
        const double best = problem.partition(k).value;
        if (candidate.consensus) {
          ++seen[2];
          EXPECT_GT(candidate.consensus->moved, 0U);
          EXPECT_EQ(candidate.consensus->best_objective, best);
          EXPECT_LE(candidate.value, best);
          EXPECT_NE(candidate.certificate->verdict, Verdict::optimal);
        } else {
          ++seen[candidate.certificate->verdict == Verdict::optimal ? 0 : 1];
          EXPECT_GE(candidate.value, best);
        }
        ASSERT_TRUE(candidate.upper_bound.has_value());
        EXPECT_GE(*candidate.upper_bound, best * (1 - 1e-12));
        if (candidate.certificate->verdict == Verdict::optimal) {
          EXPECT_EQ(*candidate.upper_bound, candidate.value);
        }
      }
    }
  }
  for (const int count : seen) EXPECT_GT(count, 0);
}

TEST(Problem, BoundsEveryPartitionByEveryMethod) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const MatrixXd dense = random_symmetric(8, seed);
    const SimilarityMatrix similarity = to_similarity(dense);
    for (const Method* method : {&certified_search, &paper}) {
      tertium::Run run;
      Problem problem(similarity, *method, {}, run);
      for (int k = 1; k <= 8; ++k) {
        const Candidate& candidate = problem.candidate(k);
        EXPECT_NEAR(candidate.value, value_by_definition(dense, candidate.labels), 1e-9);
        ASSERT_TRUE(candidate.upper_bound.has_value());
        EXPECT_GE(*candidate.upper_bound, best_partition(dense, k, 0) - 1e-9) << k;
        EXPECT_EQ(candidate.certificate.has_value(), method->certificates);
      }
    }
  }
}

TEST(Problem, KnowsThatAPartitionIsBeatenByAFeasiblePoint) {
  const SimilarityMatrix similarity = planted(40, 4, 600, 2);
  tertium::Run run;
  Problem problem(similarity, certified_search, {}, run);
  const SdpResult& solved = problem.solution(4, Effort::full);
  ASSERT_GT(solved.objective, problem.partition(4).value);
  EXPECT_EQ(problem.certificate(4).verdict, Verdict::not_optimal);
  EXPECT_EQ(problem.certificate(4).level, Evidence::proved);
}

TEST(Problem, OfRealNumbersIsSearchedAndSolvedButNotCertified) {
  const MatrixXd matrix = planted_similarity(30, 3, 20000, 1) / std::sqrt(2.0);
  tertium::Run run;
  Problem problem(matrix, certified_search, {}, run);
  EXPECT_FALSE(problem.is_exact());
  EXPECT_EQ(&problem.dense(), &matrix);
  const FoundPartition& found = problem.partition(3);
  EXPECT_NEAR(found.value, value_by_definition(matrix, found.labels), 1e-9);
  for (std::size_t i = 3; i < 30; ++i) EXPECT_EQ(found.labels[i], found.labels[i % 3]);
  EXPECT_EQ(problem.certificate(3).verdict, Verdict::undecided);
  EXPECT_FALSE(problem.offer(found.labels));
  EXPECT_GE(problem.solution(3, Effort::full).upper_bound, found.value * (1 - 1e-12));
}

TEST(Problem, MayBeAskedAboutSeveralNumbersAtOnce) {
  const SimilarityMatrix similarity = planted(40, 4, 1500, 3);
  const auto solved = [&](int threads) {
    tertium::Run run({.threads = threads});
    Problem problem(similarity, certified_search, {}, run);
    for (int k = 2; k <= 7; ++k) problem.partition(k);
    run.workers(6, [&](int worker) { problem.solution(worker + 2, Effort::full); });
    std::vector<double> numbers;
    for (int k = 2; k <= 7; ++k) {
      const SdpResult& solution = problem.solution(k, Effort::full);
      numbers.insert(numbers.end(), {solution.objective, solution.upper_bound, solution.theta});
    }
    return numbers;
  };
  EXPECT_EQ(solved(1), solved(3));
}

}  // namespace
}  // namespace tertium::internal
