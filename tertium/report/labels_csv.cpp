#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity/export.hpp"

namespace tertium::internal {
namespace {

/// Spreadsheets calculate what begins so, in CSV too, and some formulas run programs. The last four
/// are the wide forms of =, +, - and @, which some take for them.
bool is_formula(std::string_view cell) {
  if (cell.empty() || parse_number(cell)) return false;
  if (std::string_view("=+-@\t\r\n").find(cell[0]) != std::string_view::npos) return true;
  constexpr std::array<std::string_view, 4> wide = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  return std::any_of(wide.begin(), wide.end(),
                     [&](std::string_view sign) { return cell.starts_with(sign); });
}

template <class Cell>
std::string labels(const ResultView& view, const Cell& cell) {
  std::string text = "item,cluster,confidence\n";
  for (std::size_t item = 0; item < view.items.size(); ++item) {
    const auto& label = view.labels[item];
    const auto& confidence = view.confidence[item];
    text +=
        fmt::format("{},{},{}\n", cell(view.items[item]), label ? fmt::format("{}", *label) : "",
                    confidence ? fmt::format("{:.4f}", *confidence) : "");
  }
  return text;
}

}  // namespace
}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string labels_as_csv(const ResultView& view) { return labels(view, csv_cell); }

std::string labels_for_spreadsheet(const ResultView& view) {
  return "\uFEFF" + labels(view, [](const std::string& name) {
           return csv_cell(is_formula(name) ? "'" + name : name);
         });
}

std::size_t count_formulas(const std::vector<std::string>& items) {
  return static_cast<std::size_t>(std::count_if(items.begin(), items.end(), is_formula));
}

}  // namespace tertium
