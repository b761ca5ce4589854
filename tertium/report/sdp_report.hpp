#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tertium/sdp/sdp.hpp"

namespace tertium {

/// The result of a solve for people and for programs, without the matrices.
std::string sdp_as_text(const SdpResult& result, double tolerance);
nlohmann::ordered_json sdp_as_json(const SdpResult& result);

/// {verdict, lo, hi, level, failure_probability}; null if there is none.
nlohmann::ordered_json certificate_as_json(const std::optional<Certificate>& certificate);

/// The verdict in plain words, one or two sentences.
std::string certificate_in_words(const Certificate& certificate, int clusters);

}  // namespace tertium
