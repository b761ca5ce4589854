#include "tertium/reading/separator.hpp"

#include <array>
#include <utility>

namespace tertium::internal {
namespace {

constexpr std::array<std::pair<char, std::string_view>, 4> named_separators = {
    {{',', "comma"}, {';', "semicolon"}, {'\t', "tab"}, {' ', "blanks"}}};

}  // namespace

std::vector<std::string> separator_names() {
  std::vector<std::string> names;
  for (const auto& [separator, name] : named_separators) names.emplace_back(name);
  return names;
}

std::string separator_name(char separator) {
  for (const auto& [known, name] : named_separators) {
    if (known == separator) return std::string(name);
  }
  return {separator};
}

std::optional<char> parse_separator(std::string_view text) {
  for (const auto& [separator, name] : named_separators) {
    if (name == text) return separator;
  }
  if (text.size() == 1) return text[0];
  return std::nullopt;
}

}  // namespace tertium::internal
