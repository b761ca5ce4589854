#include "tertium/exact/proof_file.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace tertium::internal {
namespace {

/// What the file begins with.
constexpr const char* numbers_magic = "tertium numbers\n";

static_assert(std::endian::native == std::endian::little);

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void append(std::string& bytes, const NodeProof& proof) {
  // Of a triangle of m (m + 1) / 2 numbers.
  const auto entries = static_cast<double>(proof.nonnegative.size());
  append(bytes, static_cast<std::uint32_t>(std::lround((std::sqrt(8 * entries + 1) - 1) / 2)));
  append(bytes, static_cast<std::uint32_t>(proof.cuts.size()));
  bytes.append(reinterpret_cast<const char*>(proof.nonnegative.data()),
               proof.nonnegative.size() * sizeof(float));
  for (const NodeProof::Cut& cut : proof.cuts) {
    append(bytes, cut.apex);
    append(bytes, cut.left);
    append(bytes, cut.right);
    append(bytes, cut.multiplier);
  }
}

}  // namespace

TreeClaim tree_claim(const ProofTree& tree, std::string numbers_file) {
  TreeClaim claim;
  claim.upper_bound = bound_of(tree);
  claim.numbers_file = std::move(numbers_file);
  claim.numbers = numbers_magic;
  for (const ProofTree::Node& node : tree.nodes) {
    if (node.apart >= 0) {
      claim.tree.emplace_back(node.pair);
    } else {
      claim.tree.emplace_back(std::nullopt);
      append(claim.numbers, node.proof);
    }
  }
  return claim;
}

}  // namespace tertium::internal
