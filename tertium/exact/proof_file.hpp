#pragma once

#include <string>

#include "tertium/certificate/certificate_file.hpp"
#include "tertium/exact/proof_tree.hpp"

namespace tertium::internal {

/// What the file of a pruned tree says (docs/certificate.md), with its numbers in a file of this
/// name.
TreeClaim tree_claim(const ProofTree& tree, std::string numbers_file);

}  // namespace tertium::internal
