#include "tertium/core/unknown_value.hpp"

#include <fmt/format.h>

#include "tertium/core/similar_names.hpp"
#include "tertium/core/utf8.hpp"

namespace tertium::internal {
namespace {

/// "sum, once or majority".
std::string any_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool last = i + 1 == names.size();
    text += fmt::format("{}{}", i == 0 ? "" : last ? " or " : ", ", names[i]);
  }
  return text;
}

}  // namespace

InputError unknown_value(std::string_view flag, std::string_view value,
                         const std::vector<std::string>& names, std::string expected) {
  return InputError({{},
                     fmt::format("{} {}", flag, in_quotes(value)),
                     expected.empty() ? any_of(names) : std::move(expected),
                     did_you_mean(similar_names(value, names))});
}

}  // namespace tertium::internal
