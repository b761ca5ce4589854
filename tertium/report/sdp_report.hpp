#pragma once

#include <string>
#include <vector>

#include "tertium/sdp/sdp.hpp"

namespace tertium {

/// The result of a solve for people and for programs, without the matrices. `items` are the names
/// of the rows; clusters are numbered from 1.
std::string sdp_as_text(const SdpResult& result, double tolerance);
std::string sdp_as_json(const SdpResult& result, const std::vector<std::string>& items);

/// The verdict in plain words, one or two sentences.
std::string certificate_in_words(const Certificate& certificate, int clusters);

}  // namespace tertium
