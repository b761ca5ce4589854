#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "tertium/agreement.hpp"
#include "tertium/core/name_list.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/record_table.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view item_names = "item name itemname id index itemid stimulus image";
constexpr std::string_view label_names = "cluster label class category group truth region";

std::size_t column_for(const Table& table, const std::optional<std::string>& chosen,
                       std::string_view accepted, std::string_view flag, std::string_view what) {
  if (chosen) return find_column(table, *chosen, flag);
  if (const auto column = best_column(table, accepted)) return *column;
  throw InputError({{table.file},
                    fmt::format("the columns {}", name_list(table.columns)),
                    fmt::format("a column with {}", what),
                    fmt::format("Name it with {} COLUMN", flag)});
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

Labeling read_labeling(const InputFile& file, const LabelColumns& columns) {
  const RecordTable records = read_record_table(file);
  const Table& table = records.table;
  const std::size_t item =
      column_for(table, columns.item, item_names, columns.item_flag, "the items");
  const std::size_t label =
      column_for(table, columns.label, label_names, columns.label_flag, "the labels");
  Labeling labeling;
  std::unordered_map<std::string, std::uint64_t> lines;
  for (RecordRows rows(records); rows.next();) {
    const std::string name(rows.cell(item));
    const std::string_view text = rows.cell(label);
    const std::uint64_t line = rows.row().line;
    if (text.empty()) continue;
    const auto [before, added] = lines.emplace(name, line);
    if (!added) {
      throw InputError(
          {{table.file, line, item + 1, table.columns[item], table.unit},
           fmt::format("{} again, as in {} {}", in_quotes(name), table.unit, before->second),
           "every item once",
           ""});
    }
    labeling.items.push_back(name);
    labeling.labels.emplace_back(text);
  }
  if (labeling.items.empty()) {
    throw InputError({{table.file}, "no labelled items", "items with labels", ""});
  }
  return labeling;
}

std::vector<std::string> labels_in_order(const Labeling& labeling,
                                         const std::vector<std::string>& items,
                                         const std::string& file) {
  std::unordered_map<std::string_view, std::string_view> label_of;
  for (std::size_t i = 0; i < labeling.items.size(); ++i) {
    label_of.emplace(labeling.items[i], labeling.labels[i]);
  }
  std::vector<std::string> labels;
  for (const std::string& item : items) {
    const auto found = label_of.find(item);
    if (found == label_of.end()) {
      throw InputError({{file},
                        "no label for the item " + in_quotes(item),
                        "a label for every item in the answers",
                        ""});
    }
    labels.emplace_back(found->second);
  }
  return labels;
}

}  // namespace tertium
