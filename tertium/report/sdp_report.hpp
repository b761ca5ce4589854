#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tertium/sdp/sdp.hpp"

namespace tertium {

/// The result of a solve for people and for programs, without the matrices.
std::string sdp_as_text(const SdpResult& result, double tolerance);
nlohmann::ordered_json sdp_as_json(const SdpResult& result);

}  // namespace tertium
