#pragma once

#include <optional>

#include "tertium/verify.hpp"
#include "tertium/verify/parse.hpp"

namespace tertium::internal::verifying {

/// Checks that the claim is about these sums: the same items in whatever order, the same kind, the
/// same integers. Returns the triangle with its rows in the order of the claim, or nothing if they
/// are in that order already. Throws Refusal.
std::optional<IntegerTriangle> match_sums(const Claim& claim, const GivenSums& given);

}  // namespace tertium::internal::verifying
