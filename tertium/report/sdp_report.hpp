#pragma once

#include <string>

#include "tertium/sdp/sdp.hpp"

namespace tertium {

/// The result of a solve for people and for programs, without the matrices.
std::string sdp_as_text(const SdpResult& result, double tolerance);
std::string sdp_as_json(const SdpResult& result);

/// The verdict in plain words, one or two sentences.
std::string certificate_in_words(const Certificate& certificate, int clusters);

}  // namespace tertium
