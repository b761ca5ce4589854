#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tertium::internal {

/// The names as they can be listed in a message: "a, b, c", and of many the first few only,
/// "a, b, c, ... (10000 in all)".
std::string name_list(const std::vector<std::string>& names);
std::string name_list(const std::vector<std::string_view>& names);

}  // namespace tertium::internal
