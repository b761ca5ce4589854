#include "tertium/methods/method_table.hpp"

#include <array>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/methods/comparison_hc.hpp"
#include "tertium/methods/linkages.hpp"
#include "tertium/methods/paper.hpp"
#include "tertium/methods/placed.hpp"

namespace tertium::internal {

std::span<const Method> methods() {
  static constexpr std::array table = {
      certified_search, paper,           average_linkage, single_linkage,
      complete_linkage, comparison_hc,   placed_by_tste,  placed_by_ste,
      placed_by_ckl,    placed_by_gnmds, placed_by_soe};
  return table;
}

std::string method_names() {
  std::string names;
  for (const Method& method : methods()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", method.name);
  }
  return names;
}

const Method& find_method(std::string_view name) {
  for (const Method& method : methods()) {
    if (method.name == name) return method;
  }
  throw InputError(
      {{}, fmt::format("--method {}", in_quotes(name)), "one of " + method_names(), ""});
}

}  // namespace tertium::internal
