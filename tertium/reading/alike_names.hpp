#pragma once

#include <span>
#include <string>
#include <vector>

#include "tertium/answers.hpp"

namespace tertium::internal {

/// A note about items whose names are spelled alike ("Car" and "car"), in all sinks together; empty
/// if there are none.
std::string note_on_alike_names(std::span<AnswerSink* const> sinks);

}  // namespace tertium::internal
