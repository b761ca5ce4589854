#pragma once

#include <Eigen/Core>

#include "tertium/core/clock.hpp"
#include "tertium/sdp/sdp.hpp"

namespace tertium {

/// Solves the dense program from where the search for a partition ended, if there was one: from
/// `partition`, `point` and `objective` of `result` on. Fills in all but what follows from the
/// point (trace, rank, eigenvalues, theta) and the seconds.
void solve_dense(SdpResult& result, const Eigen::MatrixXd& similarity, const SdpProgram& program,
                 const SdpOptions& options, const Clock& clock);

/// Makes the partition the point of the result.
void take_partition(SdpResult& result, const FoundPartition& partition, const SdpProgram& program);

/// The share of the trace in the k largest of the eigenvalues, which decrease; k = round(trace).
double theta_of(const Eigen::VectorXd& eigenvalues);

}  // namespace tertium
