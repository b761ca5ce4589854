#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tertium/problem/method.hpp"

namespace tertium::internal {

/// All ways to cluster, the default first.
std::span<const Method> methods();

/// The method of that name. Throws InputError that lists the names.
const Method& find_method(std::string_view name);

/// "auto, paper", for messages.
std::string method_names();

}  // namespace tertium::internal
