#include "tertium/core/name_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"

namespace tertium::internal {
namespace {

/// All columns of usual files, and no more than three lines of a terminal.
constexpr std::size_t most_names = 20;
constexpr std::size_t most_bytes = 240;

template <typename Names>
std::string listed(const Names& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = printable(names[i]);
    const bool first = i == 0;
    if (!first && (i >= most_names || text.size() + name.size() > most_bytes)) {
      return fmt::format("{}, ... ({} in all)", text, names.size());
    }
    text += first ? name : ", " + name;
  }
  return text;
}

}  // namespace

std::string name_list(const std::vector<std::string>& names) { return listed(names); }
std::string name_list(const std::vector<std::string_view>& names) { return listed(names); }

}  // namespace tertium::internal
