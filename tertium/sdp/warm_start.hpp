#pragma once

#include <Eigen/Core>

#include "tertium/partition/cluster_sums.hpp"
#include "tertium/sdp/program.hpp"

namespace tertium::internal {

/// A partition as a start for the solver.
struct WarmStart {
  Eigen::MatrixXd x;     // Z N^-1 Z'
  Eigen::MatrixXd dual;  // N >= 0, 0 inside clusters
};

/// A dual matrix that fits the partition: as near to -S as the row sums allow that complementary
/// slackness forces (the u of the witness, where they are positive), so that S + N has as little
/// noise between clusters as can be. For SDP-k, lambda is taken where it meets the largest
/// eigenvalue of P (S + N) P. Cost: a few passes over S and some tens of products.
WarmStart warm_start(const Eigen::MatrixXd& similarity, const Labels& labels,
                     const SdpProgram& program, Run& run);

}  // namespace tertium::internal
