#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "tertium/partition.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity.hpp"

namespace tertium {

/// Which of the paper's two programs is meant:
///   Clusters k:   max <S,X>                  s.t.  X >= 0,  X PSD,  X1 = 1,  tr X = k
///   Lambda l:     max <S,X> - l tr X         s.t.  X >= 0,  X PSD,  X1 = 1
struct Lambda {
  double value = 0;  // >= 0
};
using SdpProgram = std::variant<Clusters, Lambda>;

/// "3 clusters" or "lambda 12.5".
std::string in_words(const SdpProgram& program);

struct SdpOptions {
  double tolerance = 1e-3;     // relative; > 0. What differs by less is one and the same to people
  int most_iterations = 5000;  // > 0; a guard
  /// > 0; asked before every iteration. The search for a partition and its certificate are not
  /// interrupted.
  double most_seconds = std::numeric_limits<double>::infinity();
  bool search_partition = true;  // start from a good partition, and stop if it proves itself
  bool keep_dual = false;        // fill SdpResult::dual if the dense program is solved
};

/// How a solve ended. Whatever the status, `point` is feasible, `objective` is its value and
/// `upper_bound` holds for every feasible point; only the gap between them differs.
enum class SdpStatus : std::uint8_t {
  certified,        // the partition is the optimum, by its certificate; the gap is 0
  solved,           // the tolerance was reached, in the sense of the goal; or X is dull
  iteration_limit,  // most_iterations were used up; the gap is larger
  time_limit        // most_seconds were used up; the gap is larger
};

std::string_view to_string(SdpStatus status);

/// X = (1-t) (11'/n + V diag(c) V') + t (a I + (1-a) 11'/n): V orthonormal and orthogonal to 1,
/// 0 <= c <= 1. PSD with X1 = 1 by construction; the second point has positive entries and, with
/// a = (tr - 1)/(n - 1), the trace of the first, and is mixed in just as much as makes every entry
/// nonnegative.
struct FactoredPoint {
  Eigen::MatrixXd vectors;   // V, n x r
  Eigen::VectorXd weights;   // c
  double mixed = 0;          // t
  double identity_part = 0;  // a

  [[nodiscard]] double trace() const { return 1 + weights.sum(); }
  /// All n eigenvalues, decreasing.
  [[nodiscard]] Eigen::VectorXd eigenvalues() const;
  /// Those of the first point alone, t = 0.
  [[nodiscard]] Eigen::VectorXd eigenvalues_before_repair() const;
  [[nodiscard]] Eigen::MatrixXd matrix() const;
};

struct SdpResult {
  FactoredPoint point;     // feasible: X1 = 1 up to rounding, X >= 0, PSD by construction
  double objective = 0;    // its value in the program
  double upper_bound = 0;  // on the value of every feasible point, hence of every partition
  double gap = std::numeric_limits<double>::infinity();  // (upper_bound - objective) / |objective|
  /// What the solve compared with the tolerance: the gap, or inside of `cluster` the distance
  /// of X before its repair from the bound.
  double distance = std::numeric_limits<double>::infinity();
  double trace = 0;             // of X
  int rank = 0;                 // eigenvalues of X above 1e-6
  Eigen::VectorXd eigenvalues;  // of X, decreasing; inside of `cluster`, before its repair
  double theta = 0;             // share of the trace in the k largest eigenvalues, k = round(trace)
  SdpStatus status = SdpStatus::solved;
  bool dull = false;  // `solved` only as far as to see that X is not worth more
  int iterations = 0;
  double seconds = 0;
  std::optional<FoundPartition> partition;  // the best one that the search found, if it ran
  std::optional<Certificate> certificate;   // of that partition, if S is exact
  Eigen::MatrixXd dual;                     // N of the dense program, if asked for: see dual_matrix
};

/// Bytes that the dense program needs for n items.
double sdp_memory(Eigen::Index items);

/// The paper's programs (docs/solver.md) for a similarity. Memory: that of the sparse S if the
/// certificate holds, else `sdp_memory`, checked before it is allocated. Throws InputError if the
/// program is out of range, Cancelled.
SdpResult solve_sdp(const SimilarityMatrix& similarity, const SdpProgram& program,
                    const SdpOptions& options, Run& run);
/// The same for any symmetric matrix of real numbers; there is no certificate then, since S is not
/// exact. Throws InputError also if it is not square, symmetric and finite.
SdpResult solve_sdp(const Eigen::MatrixXd& similarity, const SdpProgram& program,
                    const SdpOptions& options, Run& run);

/// The N >= 0 that proves the bound of a result: that of the dense program (solved with
/// `keep_dual`), or the witness of the certified partition.
Eigen::MatrixXd dual_matrix(const SimilarityMatrix& similarity, const SdpResult& result,
                            const SdpProgram& program, Run& run);

/// Where parts of a result are written; what is empty is not.
struct SdpFiles {
  std::string x;            // the feasible X (.npy)
  std::string dual;         // the N that proves the bound (.npy)
  std::string certificate;  // that the partition is optimal, or else the bound with its N beside
};

/// Where N is written if the certificate needs it: `dual`, or beside the certificate. "" for
/// nowhere.
std::string dual_file(const SdpFiles& files);

/// Throws InputError if the dual is to lie in another folder than the certificate that names it.
void validate(const SdpFiles& files);

/// Throws InputError if a certificate is wanted of a similarity that `verify` cannot make again.
void check_certifiable(const SdpFiles& files, const SimilarityMatrix& similarity);

/// Writes the files, all or none, and returns which: the certificate last. For a dual, or for the
/// certificate of a bound, the result must have been solved with `keep_dual`.
std::vector<std::string> write_sdp(const SdpFiles& files, const SimilarityMatrix& similarity,
                                   const SdpResult& result, const SdpProgram& program, Run& run);

}  // namespace tertium
