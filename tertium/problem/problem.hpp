#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include <Eigen/Core>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/certificate/certify.hpp"
#include "tertium/dendrogram.hpp"
#include "tertium/exact/best_partition.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/problem/candidate.hpp"
#include "tertium/sdp.hpp"
#include "tertium/sdp/dense_solve.hpp"
#include "tertium/sdp/rounding.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

struct Method;

struct ProblemOptions {
  double tolerance = 1e-3;  // of the semidefinite programs; > 0
  Rounding rounding = Rounding::kmeans;
  std::optional<ExactOptions> proof = {};  // how far one is sought; none: not at all
  int dimensions = 2;                      // of a method that places items as points; > 0
};

/// How far a program is solved: to the tolerance, however long it takes; or as far as can be borne
/// with that many items, for the bound.
enum class Effort : std::uint8_t { full, affordable };

/// Answers, and how often each counts.
struct WeightedAnswers {
  const ComparisonList* list = nullptr;
  std::span<const AnswerFactor> factor;  // empty: each once
};

/// One similarity and everything that is known about its partitions. Each part is computed when it
/// is first asked for, and kept: S as a map, its eigenpairs, S written out, and per number of
/// clusters the partition, its certificate, X and the bound. Whoever sees a better partition offers
/// it here, so that nobody reports a worse one.
///
/// Parts of different k may be asked for from different threads, as long as their partitions were
/// asked for before: what comes first would otherwise be chance.
class Problem {
 public:
  /// `similarity`, `method` and `run` must outlive this.
  Problem(const SimilarityMatrix& similarity, const Method& method, const ProblemOptions& options,
          Run& run);
  /// For sums over pairs of which nothing else is known: methods may refit, but not cluster.
  Problem(const IntegerTriangle& sums, const Method& method, const ProblemOptions& options,
          Run& run);
  /// For any symmetric matrix of real numbers. Nothing is certified then, since S is not exact.
  Problem(const Eigen::MatrixXd& matrix, const Method& method, const ProblemOptions& options,
          Run& run);

  [[nodiscard]] const SimilarityMatrix& similarity() const { return *similarity_; }
  [[nodiscard]] const SparseMap& map() const { return map_; }
  [[nodiscard]] const Method& method() const { return method_; }
  [[nodiscard]] const ProblemOptions& options() const { return options_; }
  [[nodiscard]] int items() const { return static_cast<int>(map_.size()); }
  [[nodiscard]] bool is_exact() const { return given_ == nullptr; }
  Run& run() const { return run_; }

  /// The answers that S was made of, for methods that go over them. They must outlive this.
  void set_answers(const WeightedAnswers& answers) { answers_ = answers; }
  /// They must be known.
  [[nodiscard]] const WeightedAnswers& answers() const;

  /// Changes S: all that was found is forgotten. For those who go through many similarities that
  /// are nearly the same.
  void change(const std::function<void(SparseMap&)>& change);

  /// The tree of a method that makes one for all k: grown once, whoever asks, and kept until S
  /// changes.
  const Dendrogram& tree(const std::function<Dendrogram()>& grow);
  /// The same for the points of a method that places items.
  const VectorBlock& points(const std::function<VectorBlock()>& place);
  /// At least `wanted` leading eigenpairs of S (all, if there are fewer items).
  const KrylovResult& eigenpairs(int wanted);
  /// S written out.
  const Eigen::MatrixXd& dense();
  /// Whether the dense program fits into the memory of this machine.
  [[nodiscard]] bool has_room_for_program() const;

  /// The best partition into k clusters that was seen.
  const FoundPartition& partition(int clusters);
  /// What is proved about it.
  const Certificate& certificate(int clusters);
  /// X and the bound of SDP-k: from the certificate if it settles the program, else solved to the
  /// tolerance, or until it is dull. Throws InputError if there is no room for it.
  const SdpResult& solution(int clusters, Effort effort, std::optional<Dull> dull = {});
  /// Tries to prove the best partition the best of all, by cuts and branches: 2 <= k < items, and S
  /// is exact. A better partition that is found on the way is offered. Once for every k, whatever
  /// the options are.
  const ExactResult& proof(int clusters, const ExactOptions& options);
  /// The bound of SDP-k, if it was solved, or of the proof, if that was tried: the smaller one.
  [[nodiscard]] std::optional<double> known_bound(int clusters);
  /// The clustering into k clusters that the method makes, clusters numbered by size.
  const Candidate& candidate(int clusters);

  /// Takes the partition if it is better than the best that was seen; true if it is. Certificate
  /// and candidate are made anew then: references to the old ones end.
  bool offer(const Labels& labels);

 private:
  struct Known {
    std::optional<FoundPartition> partition;
    std::optional<Certificate> certificate;
    std::optional<SdpResult> solution;
    Effort effort = Effort::affordable;  // that the solution took
    std::optional<ExactResult> proof;
    std::optional<Candidate> candidate;
  };
  Known& known(int clusters);
  static void compare_with_solution(Known& known);

  std::optional<SimilarityMatrix> quantised_;  // of a matrix of real numbers
  const SimilarityMatrix* similarity_ = nullptr;
  const Eigen::MatrixXd* given_ = nullptr;  // a matrix of real numbers
  const Method& method_;
  ProblemOptions options_;
  Run& run_;
  SparseMap map_;
  KrylovResult eigenpairs_;
  int eigenpairs_wanted_ = 0;
  Eigen::MatrixXd dense_;
  WeightedAnswers answers_;
  std::optional<Dendrogram> tree_;
  std::optional<VectorBlock> points_;
  std::map<int, Known> known_;
  std::mutex mutex_;  // of the parts that all k share
};

/// Solves either program: searches a partition and certifies it, unless `options` say not to, and
/// if that is not enough solves the dense program from there. Throws InputError if the program is
/// out of range or has no room.
SdpResult solve(Problem& problem, const SdpProgram& program, const DenseOptions& options);

/// How the method of this problem solves a program: with or without certificates, how far.
DenseOptions solve_options(const Problem& problem);

}  // namespace tertium::internal
