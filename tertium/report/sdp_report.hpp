#pragma once

#include <string>
#include <vector>

#include "tertium/report.hpp"
#include "tertium/sdp.hpp"

namespace tertium::internal {

/// The verdict in plain words, one or two sentences.
std::string certificate_in_words(const Certificate& certificate, int clusters);

}  // namespace tertium::internal
