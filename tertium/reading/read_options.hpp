#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tertium/read.hpp"
#include "tertium/reading/layout.hpp"
#include "tertium/reading/row_condition.hpp"

namespace tertium::internal {

/// A flag of the command line and its value; none if it takes none.
struct SetFlag {
  std::string flag;
  std::string value;
};

/// The fields that are set, as flags: what one would have to say to get the same again.
std::vector<SetFlag> flags_set(const ReadOptions& options);

/// `shown` as the places of the anchor and the options among the pictures. Throws InputError.
std::optional<std::array<std::size_t, 3>> places_shown(const ReadOptions& options);

/// The conditions of `where` and `exclude`, not tied to columns yet. Throws InputError for a text
/// that is none.
std::vector<BoundCondition> conditions_of(const ReadOptions& options);

}  // namespace tertium::internal
