#pragma once

#include <Eigen/Core>

#include "tertium/core/clock.hpp"
#include "tertium/sdp.hpp"

namespace tertium::internal {

/// What a solve is for, hence when it stops.
enum class SdpGoal : std::uint8_t {
  /// A feasible X and a bound within the tolerance of each other: a proof.
  gap,
  /// The bound, and the eigenvalues of X: stops as soon as X before its repair (see FactoredPoint)
  /// is within the tolerance of the bound. Much earlier, since the repair is what converges last.
  spectrum,
  /// The trace of X: stops as soon as the residual of the iteration is within the tolerance. There
  /// is no bound then but that of the start.
  trace
};

/// An X that is not worth its time: its theta is below this. The farther below, the sooner that is
/// seen, since theta moves less and less as X comes near to the optimum.
struct Dull {
  double theta = 0;
};

struct DenseOptions : SdpOptions {
  SdpGoal goal = SdpGoal::gap;
  std::optional<Dull> dull;  // with the goal `spectrum`: stop there already
};

/// Solves the dense program from where the search for a partition ended, if there was one: from
/// `partition`, `point` and `objective` of `result` on. Fills in all but what follows from the
/// point (trace, rank, eigenvalues, theta) and the seconds.
void solve_dense(SdpResult& result, const Eigen::MatrixXd& similarity, const SdpProgram& program,
                 const DenseOptions& options, const Clock& clock, Run& run);

/// Makes the partition the point of the result.
void take_partition(SdpResult& result, const FoundPartition& partition, const SdpProgram& program);

/// What follows from the point: trace, rank, eigenvalues, theta.
void describe_point(SdpResult& result, SdpGoal goal);

/// The share of the trace in the k largest of the eigenvalues, which decrease; k = round(trace).
double theta_of(const Eigen::VectorXd& eigenvalues);

}  // namespace tertium::internal
