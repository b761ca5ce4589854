#include "tertium/methods/method_table.hpp"

#include <array>

#include "tertium/core/unknown_value.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/methods/paper.hpp"

namespace tertium::internal {

std::span<const Method> methods() {
  static constexpr std::array table = {certified_search, paper};
  return table;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.emplace_back(method.name);
  return names;
}

const Method& find_method(std::string_view name) {
  for (const Method& method : methods()) {
    if (method.name == name) return method;
  }
  throw unknown_value("--method", name, method_names());
}

}  // namespace tertium::internal
