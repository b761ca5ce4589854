#pragma once

#include <string>
#include <string_view>

namespace tertium::internal {

/// A line of a report: a title, and beside it what is told, which may hold anything of the input.
std::string titled_line(std::string_view title, std::string_view told);

}  // namespace tertium::internal
