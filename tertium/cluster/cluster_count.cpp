#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "tertium/cluster.hpp"
#include "tertium/core/unknown_value.hpp"

namespace tertium::internal {
namespace {

constexpr std::array<std::pair<ChooseBy, std::string_view>, 4> ways = {
    {{ChooseBy::automatic, "auto"},
     {ChooseBy::spur, "spur"},
     {ChooseBy::lambda_grid, "spur-lambda"},
     {ChooseBy::heldout, "heldout"}}};

int whole_number(std::string_view text, const std::string& whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    std::vector<std::string> names;
    for (const auto& [way, name] : ways) names.emplace_back(name);
    throw unknown_value(
        "--clusters", whole, names,
        "a number such as 3, a range such as 2-6, auto, spur, spur-lambda or heldout");
  }
  return value;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string to_string(const ClusterCount& count) {
  if (const auto* given = std::get_if<Clusters>(&count)) return fmt::format("{}", given->count);
  if (const auto* range = std::get_if<ClusterRange>(&count)) {
    return fmt::format("{}-{}", range->fewest, range->most);
  }
  for (const auto& [way, name] : ways) {
    if (way == std::get<ChooseBy>(count)) return std::string(name);
  }
  return "";
}

ClusterCount parse_cluster_count(const std::string& text) {
  for (const auto& [way, name] : ways) {
    if (text == name) return way;
  }
  const auto dash = text.find_first_of("-:", 1);
  if (dash == std::string::npos) return Clusters{whole_number(text, text)};
  const std::string_view view(text);
  return ClusterRange{whole_number(view.substr(0, dash), text),
                      whole_number(view.substr(dash + 1), text)};
}

}  // namespace tertium
