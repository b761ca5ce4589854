#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tertium/read.hpp"
#include "tertium/reading/layout.hpp"

namespace tertium::internal {

/// A flag of the command line and its value; none if it takes none.
struct SetFlag {
  std::string flag;
  std::string value;
};

/// The fields that are set, as flags: what one would have to say to get the same again.
std::vector<SetFlag> flags_set(const ReadOptions& options);

}  // namespace tertium::internal
