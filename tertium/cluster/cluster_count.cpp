#include <charconv>

#include <fmt/format.h>

#include "tertium/cluster.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

int whole_number(std::string_view text, const std::string& whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    throw InputError({{},
                      "--clusters " + internal::in_quotes(whole),
                      "a number such as 3, a range such as 2-6, auto, spur, spur-lambda or heldout",
                      ""});
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
  switch (std::get<ChooseBy>(count)) {
    case ChooseBy::automatic:
      return "auto";
    case ChooseBy::spur:
      return "spur";
    case ChooseBy::lambda_grid:
      return "spur-lambda";
    case ChooseBy::heldout:
      return "heldout";
  }
  return "";
}

ClusterCount parse_cluster_count(const std::string& text) {
  if (text == "auto") return ChooseBy::automatic;
  if (text == "spur") return ChooseBy::spur;
  if (text == "spur-lambda") return ChooseBy::lambda_grid;
  if (text == "heldout") return ChooseBy::heldout;
  const auto dash = text.find_first_of("-:", 1);
  if (dash == std::string::npos) return Clusters{whole_number(text, text)};
  const std::string_view view(text);
  return ClusterRange{whole_number(view.substr(0, dash), text),
                      whole_number(view.substr(dash + 1), text)};
}

}  // namespace tertium
