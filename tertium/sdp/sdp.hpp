#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <Eigen/Core>

#include "tertium/certificate/certify.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/sdp/feasible.hpp"
#include "tertium/sdp/program.hpp"

namespace tertium {

struct SdpOptions {
  double tolerance = 1e-3;     // relative; > 0
  int most_iterations = 5000;  // > 0
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
  bool dull = false;  // `solved` only as far as to see that X is not worth more
  int iterations = 0;
  double seconds = 0;
  std::optional<FoundPartition> partition;  // the best one that the search found, if it ran
  std::optional<Certificate> certificate;   // of that partition, if S is exact
  Eigen::MatrixXd dual;                     // N of the dense program, if asked for: see dual_matrix
};

/// Bytes that the dense program needs for n items.
double sdp_memory(Eigen::Index items);

}  // namespace tertium
