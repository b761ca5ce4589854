#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tertium/certificate/certify.hpp"
#include "tertium/certificate/witness.hpp"
#include "tertium/core/clock.hpp"
#include "tertium/core/memory.hpp"
#include "tertium/error.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/problem/method.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/sdp/program.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

[[noreturn]] void refuse(std::string found, std::string expected) {
  throw InputError({{}, std::move(found), std::move(expected), ""});
}

void check_program(Index size, const SdpProgram& program, const SdpOptions& options) {
  if (size < 1) refuse("no items", "at least one");
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    if (clusters->count < 1 || clusters->count > size) {
      refuse(fmt::format("{} clusters", clusters->count), fmt::format("1 to {} clusters", size));
    }
  } else if (const double lambda = std::get<Lambda>(program).value;
             !(lambda >= 0) || !std::isfinite(lambda)) {
    refuse(fmt::format("lambda = {}", lambda), "a finite lambda of at least 0");
  }
  if (!(options.tolerance > 0)) refuse("a tolerance that is not positive", "a tolerance above 0");
}

void check_matrix(const MatrixXd& similarity) {
  if (similarity.rows() < 1 || similarity.cols() != similarity.rows()) {
    refuse(fmt::format("a matrix of {} x {}", similarity.rows(), similarity.cols()),
           "a square matrix");
  }
  if (!similarity.allFinite()) refuse("a value that is not finite", "finite similarities");
  if (similarity != similarity.transpose())
    refuse("a matrix that is not symmetric", "a symmetric one");
}

/// Programs with a single feasible point, or where every partition into as many clusters is as
/// good.
bool is_trivial(const Problem& problem, const SdpProgram& program) {
  const auto* clusters = std::get_if<Clusters>(&program);
  if (problem.map().nonzeros() == 0 || problem.items() == 1) return true;
  return clusters != nullptr && (clusters->count == 1 || clusters->count == problem.items());
}

/// The best partition for the program, and its certificate if S is exact.
void search_and_certify(Problem& problem, const SdpProgram& program, SdpResult& result) {
  if (const auto* clusters = std::get_if<Clusters>(&program)) {
    problem.run().say(in_words(program) + ", searching a partition and its certificate");
    result.partition = problem.partition(clusters->count);
    if (problem.is_exact()) result.certificate = problem.certificate(clusters->count);
  } else {
    problem.run().say(in_words(program) + ", searching a partition and its certificate");
    const KrylovResult& eigenpairs =
        problem.eigenpairs(eigenpairs_for_priced_search(problem.map()));
    const FoundPartition found =
        search_priced_partition(problem.map(), price_of(program), eigenpairs, {}, problem.run());
    // It may be better than what a search with as many clusters finds, or worse: the best counts.
    problem.offer(found.labels);
    result.partition = problem.partition(found.clusters);
    if (problem.is_exact()) result.certificate = problem.certificate(found.clusters);
  }
  take_partition(result, *result.partition, program);
}

/// Whether the certificate of the partition settles the program.
bool is_settled(const SdpResult& result, const SdpProgram& program) {
  if (!result.certificate || result.certificate->verdict != Verdict::optimal) return false;
  const Certificate& certificate = *result.certificate;
  const auto* lambda = std::get_if<Lambda>(&program);
  return lambda == nullptr || ((!certificate.lo || lambda->value >= *certificate.lo) &&
                               (!certificate.hi || lambda->value <= *certificate.hi));
}

/// Nothing more to solve: the point is the optimum.
void finish_at_point(SdpResult& result, SdpStatus status) {
  result.status = status;
  result.upper_bound = result.objective;
  result.gap = 0;
  result.distance = 0;
}

}  // namespace

SdpResult solve(Problem& problem, const SdpProgram& program, const DenseOptions& options) {
  const Clock clock;
  check_program(problem.items(), program, options);
  SdpResult result;
  const bool trivial = is_trivial(problem, program);
  if (options.search_partition || trivial) search_and_certify(problem, program, result);
  if (is_settled(result, program)) {
    finish_at_point(result, SdpStatus::certified);
  } else if (trivial) {
    finish_at_point(result, SdpStatus::solved);
  } else {
    check_memory(sdp_memory(problem.items()),
                 fmt::format("the semidefinite program of {} items", problem.items()).c_str(), "");
    solve_dense(result, problem.dense(), program, options, clock, problem.run());
  }
  if (result.certificate && std::holds_alternative<Clusters>(program)) {
    note_better_point(*result.certificate, result.partition->value, result.objective);
  }
  describe_point(result, options.goal);
  result.seconds = clock.seconds();
  return result;
}

namespace {

/// Whoever only solves programs needs no way to make a clustering of them.
constexpr Method programs_only{.name = "sdp", .description = "", .certificates = true};

SdpResult solve_only(Problem& problem, const SdpProgram& program, const SdpOptions& options) {
  check_program(problem.items(), program, options);
  DenseOptions dense;
  static_cast<SdpOptions&>(dense) = options;
  return solve(problem, program, dense);
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

SdpResult solve_sdp(const SimilarityMatrix& similarity, const SdpProgram& program,
                    const SdpOptions& options, Run& run) {
  if (similarity.size() < 1) refuse("no items", "at least one");
  validate(similarity);
  Problem problem(similarity, programs_only, {}, run);
  return solve_only(problem, program, options);
}

SdpResult solve_sdp(const MatrixXd& similarity, const SdpProgram& program,
                    const SdpOptions& options, Run& run) {
  check_matrix(similarity);
  Problem problem(similarity, programs_only, {}, run);
  return solve_only(problem, program, options);
}

MatrixXd dual_matrix(const SimilarityMatrix& similarity, const SdpResult& result,
                     const SdpProgram& program, Run& run) {
  if (result.dual.size() > 0) return result.dual;
  const auto size = static_cast<Index>(similarity.size());
  const bool certified = result.status == SdpStatus::certified;
  if (!certified || result.partition->clusters == 1) return MatrixXd::Zero(size, size);
  const SparseMap map(similarity);
  const Certificate& certificate = *result.certificate;
  double lambda = price_of(program);
  if (std::holds_alternative<Clusters>(program)) {
    lambda = certificate.lo ? (*certificate.lo + *certificate.hi) / 2 : *certificate.hi;
  }
  return Witness(map, result.partition->labels, run).matrix(lambda);
}

}  // namespace tertium
