#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <Eigen/Core>

#include "tertium/certificate/certify.hpp"
#include "tertium/core/progress.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/sdp/feasible.hpp"
#include "tertium/sdp/program.hpp"

namespace tertium {

/// Where a solve stands.
struct SdpProgress {
  int iterations = 0;      // 0 during the search for a partition and its certificate
  double objective = 0;    // of the best feasible point
  double upper_bound = 0;  // the best one
  /// What is compared with the tolerance; before it was computed, a lower bound of it or infinite.
  double gap = std::numeric_limits<double>::infinity();
};

std::string in_words(const SdpProgress& progress);  // "120 iterations, gap 3.1e-02"
/// On the way from a gap of 1 to the tolerance, on a logarithmic scale.
ProgressUpdate progress_to(double tolerance, const SdpProgress& progress);

/// What a solve is for, hence when it stops.
enum class SdpGoal {
  /// A feasible X and a bound within the tolerance of each other: a proof.
  gap,
  /// The bound, and the eigenvalues of X: stops as soon as X before its repair (see FactoredPoint)
  /// is within the tolerance of the bound. Much earlier, since the repair is what converges last.
  spectrum
};

/// An X that is not worth its time: at this distance from optimal, its theta is below this.
struct Dull {
  double distance = 0;
  double theta = 0;
};

struct SdpOptions {
  SdpGoal goal = SdpGoal::gap;
  double tolerance = 1e-3;     // relative; > 0
  std::optional<Dull> dull;    // with the goal `spectrum`: stop there already
  int most_iterations = 5000;  // > 0
  double most_seconds = std::numeric_limits<double>::infinity();  // > 0
  bool search_partition = true;  // start from a good partition, and stop if it proves itself
  bool keep_dual = false;        // fill SdpResult::dual if the dense program is solved
  std::uint64_t seed = 1;        // of the search
  int threads = 1;               // the result does not depend on it
  std::function<bool(const SdpProgress&)> progress;  // false stops the solve
};

/// How a solve ended. Whatever the status, `point` is feasible, `objective` is its value and
/// `upper_bound` holds for every feasible point; only the gap between them differs.
enum class SdpStatus {
  certified,        // the partition is the optimum, by its certificate; the gap is 0
  solved,           // the tolerance was reached, in the sense of the goal; or X is dull
  iteration_limit,  // most_iterations were used up; the gap is larger
  time_limit,       // most_seconds were used up; the gap is larger
  stopped           // `progress` said stop; the gap is larger
};

std::string_view to_string(SdpStatus status);

struct SdpResult {
  FactoredPoint point;     // feasible: X1 = 1 up to rounding, X >= 0, PSD by construction
  double objective = 0;    // its value in the program
  double upper_bound = 0;  // on the value of every feasible point, hence of every partition
  double gap = std::numeric_limits<double>::infinity();  // (upper_bound - objective) / |objective|
  /// What the solve compared with the tolerance: the gap, or with the goal `spectrum` the distance
  /// of X before its repair from the bound.
  double distance = std::numeric_limits<double>::infinity();
  double trace = 0;             // of X
  int rank = 0;                 // eigenvalues of X above 1e-6
  Eigen::VectorXd eigenvalues;  // of X, decreasing; with the goal `spectrum`, before its repair
  double theta = 0;             // share of the trace in the k largest eigenvalues, k = round(trace)
  SdpStatus status = SdpStatus::solved;
  int iterations = 0;
  double seconds = 0;
  std::optional<FoundPartition> partition;  // the best one that the search found, if it ran
  std::optional<Certificate> certificate;   // of that partition, if S is exact
  Eigen::MatrixXd dual;                     // N of the dense program, if asked for: see dual_matrix
};

/// Solves the program (docs/solver.md): searches a partition, tries to certify it, and if
/// that is not enough solves the dense program from there.
/// Memory: that of the sparse S if the certificate holds, else `sdp_memory`, checked before it is
/// allocated. Throws InputError if the program is out of range.
SdpResult solve_sdp(const SimilarityMatrix& similarity, const SdpProgram& program,
                    const SdpOptions& options = {});

/// The same for any symmetric matrix of real numbers; there is no certificate then, since S is not
/// exact. Throws InputError if it is not square, symmetric and finite.
SdpResult solve_sdp(const Eigen::MatrixXd& similarity, const SdpProgram& program,
                    const SdpOptions& options = {});

/// The N >= 0 that proves the bound of a result: that of the dense program (solved with
/// `keep_dual`), or the witness of the certified partition.
Eigen::MatrixXd dual_matrix(const SimilarityMatrix& similarity, const SdpResult& result,
                            const SdpProgram& program);

/// Bytes that the dense program needs for n items.
double sdp_memory(Eigen::Index items);

}  // namespace tertium
