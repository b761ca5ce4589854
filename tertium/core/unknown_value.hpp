#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tertium/error.hpp"

namespace tertium::internal {

/// A flag has a value that is none of those it knows by name: says which it was perhaps meant to
/// be. What else the flag takes is said by `expected`; unless given, it is one of the names.
InputError unknown_value(std::string_view flag, std::string_view value,
                         const std::vector<std::string>& names, std::string expected = "");

}  // namespace tertium::internal
