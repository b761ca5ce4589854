#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/report.hpp"
#include "tertium/report/json.hpp"
#include "tertium/similarity/export.hpp"

namespace tertium {

using namespace internal;

namespace {

std::string line(std::string_view title, const std::string& value) {
  return fmt::format("{:<18}{}\n", title, value);
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace

std::string placed_as_text(const PlacedItems& placed) {
  std::string text = line(
      "placed", fmt::format("{} items in {} dimension{} by {}", placed.items.size(),
                            placed.dimensions, placed.dimensions == 1 ? "" : "s", placed.method));
  text += line("loss", fmt::format("{:.6g} on average over {} comparisons{}", placed.loss,
                                   placed.comparisons,
                                   placed.settled ? "" : ", still falling when it was cut off"));
  text += line("", fmt::format("{} of {} starts led there", placed.starts_alike, placed.starts));
  text += line("contradicted", fmt::format("{} of the comparisons", percent(placed.error)));
  for (const HeldoutError& held : placed.heldout) {
    const bool first = &held == &placed.heldout.front();
    text += line(
        first ? "held out" : "",
        fmt::format("{} +- {} of the comparisons, in {} dimension{}{}", percent(held.error),
                    percent(held.standard_error), held.dimensions, held.dimensions == 1 ? "" : "s",
                    held.dimensions == placed.dimensions ? "*" : ""));
  }
  if (!placed.left_out.empty()) {
    text +=
        line("no place", fmt::format("{} item{} that no chain of answers links with the others: "
                                     "{}{}",
                                     placed.left_out.size(), placed.left_out.size() == 1 ? "" : "s",
                                     printable(placed.left_out.front()),
                                     placed.left_out.size() > 1 ? ", ..." : ""));
  }
  return text;
}

std::string placed_as_json(const PlacedItems& placed) {
  Json heldout = Json::array();
  for (const HeldoutError& held : placed.heldout) {
    heldout.push_back({{"dimensions", held.dimensions},
                       {"error", held.error},
                       {"standard_error", held.standard_error}});
  }
  return json_text({{"method", placed.method},
                    {"dimensions", placed.dimensions},
                    {"comparisons", placed.comparisons},
                    {"items", placed.items},
                    {"points", placed.points},
                    {"left_out", placed.left_out},
                    {"loss", placed.loss},
                    {"error", placed.error},
                    {"starts", placed.starts},
                    {"starts_alike", placed.starts_alike},
                    {"settled", placed.settled},
                    {"heldout", std::move(heldout)}});
}

std::string points_as_csv(const PlacedItems& placed) {
  std::string text = "item";
  for (int d = 1; d <= placed.dimensions; ++d) text += fmt::format(",x{}", d);
  for (std::size_t item = 0; item < placed.items.size(); ++item) {
    text += "\n" + csv_cell(placed.items[item]);
    for (const double coordinate : placed.points[item]) text += fmt::format(",{}", coordinate);
  }
  for (const std::string& item : placed.left_out) {
    text += "\n" + csv_cell(item) + std::string(static_cast<std::size_t>(placed.dimensions), ',');
  }
  return text + "\n";
}

}  // namespace tertium
