#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// The separators of cells that have names; any other character stands for itself.
std::vector<std::string> separator_names();

std::string separator_name(char separator);

/// Nothing if it is neither a name nor one character.
std::optional<char> parse_separator(std::string_view text);

}  // namespace tertium::internal
