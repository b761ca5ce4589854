#include "tertium/report/titled_line.hpp"

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"

namespace tertium::internal {

std::string titled_line(std::string_view title, std::string_view told) {
  return fmt::format("{:<18}{}\n", title, escaped(told));
}

}  // namespace tertium::internal
