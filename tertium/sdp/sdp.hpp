#pragma once

#include <functional>
#include <limits>
#include <string_view>
#include <variant>

#include <Eigen/Core>

namespace tertium {

/// Which of the paper's two programs is solved:
///   Clusters k:   max <S,X>                  s.t.  X >= 0,  X PSD,  X1 = 1,  tr X = k
///   Lambda l:     max <S,X> - l tr X         s.t.  X >= 0,  X PSD,  X1 = 1
struct Clusters {
  int count = 2;  // 1 .. n
};
struct Lambda {
  double value = 0;  // >= 0
};
using SdpProgram = std::variant<Clusters, Lambda>;

/// Where a solve stands.
struct SdpProgress {
  int iterations = 0;
  double objective = 0;    // of the best feasible point
  double upper_bound = 0;  // the best one
  double gap = 0;          // infinite until both were computed
};

struct SdpOptions {
  double tolerance = 1e-3;     // stop when the relative gap is at most this; > 0
  int most_iterations = 5000;  // > 0
  double most_seconds = std::numeric_limits<double>::infinity();  // > 0
  std::function<bool(const SdpProgress&)> progress;               // false stops the solve
};

/// How a solve ended. Whatever the status, `x` is feasible, `objective` is its value and
/// `upper_bound` holds for every feasible point; only the gap between them differs.
enum class SdpStatus {
  solved,           // the gap is at most the tolerance
  iteration_limit,  // most_iterations were used up; the gap is larger
  time_limit,       // most_seconds were used up; the gap is larger
  stopped           // `progress` said stop; the gap is larger
};

std::string_view to_string(SdpStatus status);

struct SdpResult {
  Eigen::MatrixXd x;       // feasible: X1 = 1 up to rounding, X >= 0, PSD by construction
  double objective = 0;    // its value in the program
  double upper_bound = 0;  // on the value of every feasible point, hence of every partition
  double gap = std::numeric_limits<double>::infinity();  // (upper_bound - objective) / |objective|
  double trace = 0;                                      // of x
  int rank = 0;                                          // eigenvalues of x above 1e-6
  Eigen::VectorXd eigenvalues;                           // of x, decreasing
  double theta = 0;  // share of the trace in the k largest eigenvalues, k = round(trace)
  SdpStatus status = SdpStatus::solved;
  int iterations = 0;
  double seconds = 0;
  Eigen::MatrixXd dual;  // N >= 0 that proves the bound, see bound.hpp
};

/// Solves the program for a symmetric S by splitting (docs/solver.md). Stops on
/// the rigorous gap alone. Cost: one n x n eigenproblem per iteration; memory: see `sdp_memory`.
/// Throws InputError if S is not square, symmetric and finite or the program is out of range.
SdpResult solve_sdp(const Eigen::MatrixXd& similarity, const SdpProgram& program,
                    const SdpOptions& options = {});

/// Bytes that solve_sdp needs for n items.
double sdp_memory(Eigen::Index items);

}  // namespace tertium
