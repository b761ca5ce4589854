#pragma once

#include <optional>

#include "tertium/similarity/similarity_matrix.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::verifying {

/// Checks that the claim is about this similarity: the same items in whatever order, the same kind,
/// the same integers. Returns the similarity with its rows in the order of the claim, or nothing if
/// they are in that order already. Throws Refusal.
std::optional<SimilarityMatrix> match_similarity(const Claim& claim,
                                                 const SimilarityMatrix& similarity);

}  // namespace tertium::verifying
