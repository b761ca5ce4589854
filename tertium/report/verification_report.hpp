#pragma once

#include <string>

#include "tertium/verify/verify.hpp"

namespace tertium {

/// What was verified, in words. Only for a verified claim: a refusal is its reason.
std::string verification_as_text(const Verification& verification);

/// Both outcomes; fields that are not about the claim are left out.
std::string verification_as_json(const Verification& verification);

}  // namespace tertium
