#pragma once

#include <optional>
#include <string>

#include <Eigen/Core>

#include "tertium/certificate/cancelled_bound.hpp"
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

/// The text of one that claims an upper bound by an N that follows from the partition and two
/// numbers.
std::string certificate_text(const SimilarityMatrix& similarity, const CancelledBound& bound);

/// In the folder of a result.
inline constexpr const char* certificate_numbers_name = "certificate.numbers";

/// A bound on all partitions into as many clusters, by a tree of demands with numbers for its
/// leaves: version 2 of the file.
struct TreeClaim {
  double upper_bound = 0;
  bool only_best = false;  // every other partition into as many clusters is worse
  /// In the order of the file: a pair of items that splits, or nothing for a leaf.
  std::vector<std::optional<std::pair<int, int>>> tree;
  std::string numbers_file;  // its name
  std::string numbers;       // its content
};
std::string certificate_text(const SimilarityMatrix& similarity, const Labels& labels,
                             double objective, const TreeClaim& claim);

}  // namespace tertium::internal
