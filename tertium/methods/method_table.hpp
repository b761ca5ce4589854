#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/problem/method.hpp"

namespace tertium::internal {

/// All ways to cluster, the default first.
std::span<const Method> methods();

/// The method of that name. Throws InputError that lists the names.
const Method& find_method(std::string_view name);

std::vector<std::string> method_names();

}  // namespace tertium::internal
