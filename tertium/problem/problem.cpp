#include "tertium/problem/problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "tertium/core/memory.hpp"
#include "tertium/core/random.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/iterated_search.hpp"
#include "tertium/problem/method.hpp"
#include "tertium/spectral/composed_maps.hpp"
#include "tertium/spectral/dense_product.hpp"

namespace tertium::internal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Restarts of k-means when the first ones do not agree on the best partition. It is missed then in
/// 149 of 368 problems, most of them without clusters to find (see search.cpp): with half in 168,
/// at 0.9 of the time; with double in 142, at 1.4 times the time.
constexpr int patient_restarts = 20;
/// Then, kicks without a gain before a search ends. Half: 162 misses, 0.8 of the time; double: 126,
/// 1.5 times.
constexpr int kicks_in_vain = 40;
/// Eigenpairs are found in blocks of so many: one product with S serves them all. Half and double
/// find as good partitions in as much time.
constexpr int eigenpairs_at_once = 8;
/// Their Lanczos steps, and further ones per block beyond the first. Those that stand out from the
/// noise have converged by then, and the others never would: half and double find as good
/// partitions, double in 1.15 times the time.
constexpr int krylov_steps = 24;
constexpr int krylov_steps_per_block = 2;
/// Iterations of the dense program: with many items each takes seconds to minutes, and the bound of
/// the start, which is good then, must do. With 2000 items and 7 clusters 60 iterations leave a gap
/// of 0.56 % in 30 s; half 0.74 % in 17 s, double 0.48 % in 60 s. Time grows with the cube of the
/// items: the limits keep a solve to minutes.
constexpr Index most_items_solved = 1500;
constexpr Index most_items_improved = 3000;
constexpr int few_iterations = 60;

/// Up to here all solves are quick, and go on until X itself is proved near the optimum. With 150,
/// programs of 200 to 300 items take 0.6 of the time and bounds are 1e-3 worse; with 600, those of
/// 500 take 3.6 times as long.
constexpr int most_items_solved_fully = 300;

/// Integers that are near enough to S for a search.
SimilarityMatrix quantised(const MatrixXd& matrix) {
  constexpr double levels = 1 << 30;
  SimilarityMatrix result;
  result.rule = precomputed;
  const double largest = matrix.cwiseAbs().maxCoeff();
  result.items.resize(static_cast<std::size_t>(matrix.rows()));
  result.row_start.assign(1, 0);
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const auto value =
          largest == 0 ? 0
                       : static_cast<std::int64_t>(std::llround(matrix(i, j) / largest * levels));
      if (value == 0) continue;
      result.column.push_back(static_cast<std::uint32_t>(j));
      result.value.push_back(value);
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

/// f(Z) under real numbers.
double value_of(const SymmetricMap& map, const Labels& labels, Run& run) {
  const int clusters = count_clusters(labels);
  const MatrixXd sums = map.cluster_sums(labels, clusters, run);
  Eigen::VectorXd inside = Eigen::VectorXd::Zero(clusters);
  Eigen::VectorXd sizes = Eigen::VectorXd::Zero(clusters);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    inside[labels[i]] += sums(static_cast<Index>(i), labels[i]);
    ++sizes[labels[i]];
  }
  return (inside.array() / sizes.array()).sum();
}

}  // namespace

Problem::Problem(const SimilarityMatrix& similarity, const Method& method,
                 const ProblemOptions& options, Run& run)
    : similarity_(&similarity), method_(method), options_(options), run_(run), map_(similarity) {
  use_one_blas_thread();
}

Problem::Problem(const IntegerTriangle& sums, const Method& method, const ProblemOptions& options,
                 Run& run)
    : method_(method), options_(options), run_(run), map_(sums) {
  use_one_blas_thread();
}

Problem::Problem(const MatrixXd& matrix, const Method& method, const ProblemOptions& options,
                 Run& run)
    : quantised_(quantised(matrix)),
      similarity_(&*quantised_),
      given_(&matrix),
      method_(method),
      options_(options),
      run_(run),
      map_(*quantised_) {
  use_one_blas_thread();
}

void Problem::change(const std::function<void(SparseMap&)>& change) {
  change(map_);
  known_.clear();
  eigenpairs_ = {};
  eigenpairs_wanted_ = 0;
  dense_.resize(0, 0);
  tree_.reset();
  points_.reset();
}

const WeightedAnswers& Problem::answers() const {
  assert(answers_.list != nullptr);
  return answers_;
}

const Dendrogram& Problem::tree(const std::function<Dendrogram()>& grow) {
  const std::lock_guard lock(mutex_);
  if (!tree_) tree_ = grow();
  return *tree_;
}

const VectorBlock& Problem::points(const std::function<VectorBlock()>& place) {
  const std::lock_guard lock(mutex_);
  if (!points_) points_ = place();
  return *points_;
}

const KrylovResult& Problem::eigenpairs(int wanted) {
  const std::lock_guard lock(mutex_);
  wanted = std::min(wanted, items());
  if (wanted <= eigenpairs_wanted_) return eigenpairs_;
  // A power of two of blocks, so that what is found does not depend on who asked before.
  int count = eigenpairs_at_once;
  while (count < wanted) count *= 2;
  eigenpairs_wanted_ = std::min(count, items());
  KrylovOptions options;
  options.block = std::min(eigenpairs_at_once, items());
  options.most_steps = krylov_steps + krylov_steps_per_block * (count / eigenpairs_at_once);
  options.random = run_.stream("eigenvectors of S", static_cast<std::uint64_t>(count));
  eigenpairs_ = leading_eigenpairs(map_, eigenpairs_wanted_, options, run_);
  return eigenpairs_;
}

const MatrixXd& Problem::dense() {
  if (given_ != nullptr) return *given_;
  const std::lock_guard lock(mutex_);
  if (dense_.size() == 0) dense_ = to_dense(map_);
  return dense_;
}

bool Problem::has_room_for_program() const { return sdp_memory(items()) <= physical_memory(); }

Problem::Known& Problem::known(int clusters) {
  const std::lock_guard lock(mutex_);
  return known_[clusters];
}

const FoundPartition& Problem::partition(int clusters) {
  Known& here = known(clusters);
  if (here.partition) return *here.partition;
  SearchOptions search;
  search.most_restarts = patient_restarts;
  search.kicks = kicks_in_vain;
  SearchStart start;
  if (clusters > 1 && clusters < items()) start.eigenpairs = eigenpairs(clusters);
  here.partition =
      search_partition(map_, clusters, start,
                       run_.stream("search", static_cast<std::uint64_t>(clusters)), search, run_);
  if (clusters > 1 && clusters < items() && is_small(map_)) {
    here.partition = iterated_search(
        map_, *here.partition, run_.stream("iterated search", static_cast<std::uint64_t>(clusters)),
        {}, run_);
  }
  if (given_ != nullptr) {
    here.partition->value = value_of(DenseMap(*given_), here.partition->labels, run_);
  }
  return *here.partition;
}

const Certificate& Problem::certificate(int clusters) {
  const FoundPartition& best = partition(clusters);
  Known& here = known(clusters);
  if (!here.certificate) {
    here.certificate = is_exact() ? certify(map_, best.labels, {}, run_) : Certificate{};
    compare_with_solution(here);
  }
  return *here.certificate;
}

/// A feasible point that is better than the partition proves that the partition is not the optimum.
void Problem::compare_with_solution(Known& here) {
  if (!here.solution || !here.certificate) return;
  note_better_point(*here.certificate, here.partition->value, here.solution->objective);
}

const SdpResult& Problem::solution(int clusters, Effort effort, std::optional<Dull> dull) {
  Known& here = known(clusters);
  const bool far_enough = effort == Effort::affordable || here.effort == Effort::full;
  if (here.solution && far_enough && (dull || !here.solution->dull)) return *here.solution;
  DenseOptions options = solve_options(*this);
  options.dull = dull;
  if (effort == Effort::affordable && items() > most_items_solved) {
    options.most_iterations = items() > most_items_improved ? 1 : few_iterations;
  }
  here.solution = solve(*this, Clusters{clusters}, options);
  here.effort = effort;
  compare_with_solution(here);
  return *here.solution;
}

const ExactResult& Problem::proof(int clusters, const ExactOptions& options) {
  const FoundPartition& best = partition(clusters);
  Known& here = known(clusters);
  if (here.proof) return *here.proof;
  here.proof = prove_best(map_, best, options, run_);
  offer(here.proof->best.labels);
  return *here.proof;
}

std::optional<double> Problem::known_bound(int clusters) {
  const Known& here = known(clusters);
  double bound = std::numeric_limits<double>::infinity();
  if (here.solution) bound = std::min(bound, here.solution->upper_bound);
  if (here.proof) bound = std::min(bound, here.proof->upper_bound);
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

const Candidate& Problem::candidate(int clusters) {
  Known& here = known(clusters);
  if (!here.candidate) {
    here.candidate = method_.cluster(*this, clusters);
    Candidate& made = *here.candidate;
    made.labels = in_order_of_size(made.labels);
    if (!made.upper_bound) made.upper_bound = known_bound(clusters);
  }
  return *here.candidate;
}

bool Problem::offer(const Labels& labels) {
  const Labels ordered = in_order_of_size(labels);
  const int clusters = count_clusters(ordered);
  const double value = given_ == nullptr ? partition_value(map_, ordered, run_)
                                         : value_of(DenseMap(*given_), ordered, run_);
  const double best = partition(clusters).value;
  if (value <= best) return false;
  Known& here = known(clusters);
  here.partition = FoundPartition{ordered, clusters, value};
  here.certificate.reset();
  here.candidate.reset();
  return true;
}

DenseOptions solve_options(const Problem& problem) {
  DenseOptions options;
  options.tolerance = problem.options().tolerance;
  options.search_partition = problem.method().certificates;
  const bool quick = !problem.method().certificates || problem.items() <= most_items_solved_fully;
  options.goal = quick ? SdpGoal::gap : SdpGoal::spectrum;
  return options;
}

}  // namespace tertium::internal
