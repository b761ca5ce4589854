#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

#include "tertium/certificate/certify.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// What a bound certificate adds to the partition that it is about.
struct BoundClaim {
  std::optional<int> clusters;   // SDP-k, or
  std::optional<double> lambda;  // SDP-lambda
  double upper_bound = 0;
  std::string dual_file;                  // the name of the file, in the folder of the certificate
  const Eigen::MatrixXd* dual = nullptr;  // what it holds; never null
};

/// The text of a certificate file (docs/certificate.md) that claims a partition to be optimal. The
/// verdict must be `optimal`.
std::string certificate_text(const SimilarityMatrix& similarity, const Labels& labels,
                             double objective, const Certificate& certificate);

/// The text of one that claims an upper bound: a little more than `upper_bound`, since checkers
/// count their rounding against the claim.
std::string certificate_text(const SimilarityMatrix& similarity, const Labels& labels,
                             double objective, const BoundClaim& bound);

}  // namespace tertium::internal
