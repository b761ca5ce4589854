#include "tertium/reading/alike_names.hpp"

#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/reading/item_name.hpp"

namespace tertium::internal {

std::string note_on_alike_names(std::span<AnswerSink* const> sinks) {
  std::map<std::string, std::set<std::string>> by_spelling;
  for (const AnswerSink* sink : sinks) {
    for (ItemId id = 0; id < sink->items.size(); ++id) {
      const std::string& name = sink->items.name(id);
      if (sink->items.is_item(id) && !parse_integer(name)) by_spelling[spelling(name)].insert(name);
    }
  }
  constexpr std::size_t shown = 5;
  std::vector<std::string> alike;
  std::size_t groups = 0;
  for (const auto& [spelled, names] : by_spelling) {
    if (names.size() < 2 || ++groups > shown) continue;
    std::vector<std::string> quoted;
    for (const std::string& name : names) {
      if (quoted.size() < shown) quoted.push_back(in_quotes(name));
    }
    alike.push_back(fmt::format("{}", fmt::join(quoted, " and ")));
  }
  if (groups == 0) return "";
  return fmt::format(
      "{}{}: the same item{}? They count as different ones; add --merge-names if "
      "they are not",
      fmt::join(alike, ", "), groups > shown ? fmt::format(" and {} more", groups - shown) : "",
      groups > 1 ? "s" : "");
}

}  // namespace tertium::internal
