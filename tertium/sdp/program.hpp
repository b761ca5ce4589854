#pragma once

#include <string>
#include <variant>

#include "tertium/sdp.hpp"

namespace tertium::internal {

/// What one unit of the trace costs: lambda, or nothing.
inline double price_of(const SdpProgram& program) {
  const auto* lambda = std::get_if<Lambda>(&program);
  return lambda == nullptr ? 0 : lambda->value;
}

}  // namespace tertium::internal
