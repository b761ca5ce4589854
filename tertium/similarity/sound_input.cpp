#include "tertium/similarity/sound_input.hpp"

#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "tertium/core/exact_sums.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {

void check_names(const std::vector<std::string>& names, const std::string& file) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) throw InputError({{file}, "an item without a name", "a name for each", ""});
    if (find_invalid_utf8(name)) {
      throw InputError({{file},
                        fmt::format("the item {}, which is not valid UTF-8", in_quotes(name)),
                        "names in UTF-8",
                        ""});
    }
    if (!seen.insert(name).second) {
      throw InputError(
          {{file}, fmt::format("the item {} twice", in_quotes(name)), "every item once", ""});
    }
  }
}

void check_sums(const IntegerTriangle& triangle, const std::string& file) {
  if (sums_fit(triangle)) return;
  throw InputError({{file},
                    "values whose sums leave 64 bits",
                    fmt::format("sums up to 9.2e18 in units of 1/{}", triangle.denominator),
                    "Divide all values by the same number"});
}

}  // namespace tertium::internal
