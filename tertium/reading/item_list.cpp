#include "tertium/reading/item_list.hpp"

#include <utility>

#include <fmt/format.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/number.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/item_name.hpp"
#include "tertium/reading/normalised_name.hpp"
#include "tertium/reading/record_table.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view index_names = "index id itemid number no originalid";
constexpr std::string_view name_names =
    "name itemname item stimulus stim title dishname material character word label description";
constexpr std::string_view image_names =
    "image imagefile imagepath picture path file filename url src";
constexpr std::string_view alias_names = "alias aliases synonym synonyms othername othernames";
constexpr std::string_view category_names = "category class cluster group type kind region";

std::string_view without_folder(std::string_view path) {
  const auto slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string as_name(std::string_view cell) {
  if (cell.find('.') != std::string_view::npos) {
    if (const auto number = parse_integer(cell)) return std::to_string(*number);
  }
  return composed(cell);
}

}  // namespace

ItemList read_item_list(const InputFile& file, const std::optional<std::string>& name_column) {
  RecordTable records = read_record_table(file);
  Table& table = records.table;
  const bool plain_list =
      table.columns.size() == 1 && !best_column(table, index_names) &&
      !best_column(table, name_names) && !best_column(table, image_names) &&
      (!name_column || normalised_name(*name_column) != normalised_name(table.columns[0]));
  std::string first_name;
  if (plain_list) {  // one name per line, no header
    first_name = table.columns[0];
    records.cells.emplace(records.cells.begin(), 0U, first_name);
    for (RecordTable::Record& record : records.records) ++record.cells_end;
    records.records.insert(records.records.begin(), {1, 0, 1});
    table.columns[0] = "name";
  }
  const auto index = best_column(table, index_names);
  const auto image = best_column(table, image_names);
  const auto category = best_column(table, category_names);
  const auto alias = best_column(table, alias_names);
  std::optional<std::size_t> name = best_column(table, name_names);
  if (name_column) name = find_column(table, *name_column, "--item-name");
  if (!name) name = index ? index : image;
  if (!name) {
    throw InputError({{table.file},
                      fmt::format("the columns {}", name_list(table.columns)),
                      "a column with the names of the items",
                      "Name it with --item-name COLUMN"});
  }
  ItemList list;
  list.has_index = index.has_value();
  std::unordered_map<std::string, std::uint64_t> lines;
  std::vector<std::string> indices;
  std::vector<std::pair<std::size_t, std::string>> aliases;  // of the item in this row
  for (RecordRows rows(records); rows.next();) {
    const auto text = [&](const std::optional<std::size_t>& column) {
      return column ? rows.cell(*column) : std::string_view();
    };
    const std::uint64_t line = rows.row().line;
    ListedItem item;
    indices.push_back(as_name(text(index)));
    item.name = as_name(text(name));
    if (item.name.empty()) item.name = indices.back();
    if (item.name.empty()) item.name = text(image);
    item.image = text(image);
    if (category != name) item.category = text(category);
    for (std::string_view rest = text(alias); !rest.empty();) {
      const auto end = rest.find_first_of(";|");
      aliases.emplace_back(list.items.size(), as_name(trimmed(rest.substr(0, end))));
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    const auto [before, added] = lines.emplace(item.name, line);
    if (item.name.empty() || !added) {
      throw InputError({{table.file, line, *name + 1, table.columns[*name], table.unit},
                        item.name.empty()
                            ? std::string("an empty name")
                            : fmt::format("{} again, as in {} {}", in_quotes(item.name), table.unit,
                                          before->second),
                        "a different name for every item",
                        "Choose another column with --item-name COLUMN"});
    }
    list.items.push_back(std::move(item));
  }
  if (list.items.empty()) throw InputError({{table.file}, "only a header", "items", ""});
  // Where two items could be meant, the index goes before the name and the name before the picture.
  const auto call = [&](std::size_t row, std::string_view text) {
    if (!text.empty()) list.called.emplace(text, static_cast<ItemId>(row));
  };
  const auto spell = [&](std::size_t row, std::string_view text) {
    if (text.empty()) return;
    const auto item = static_cast<ItemId>(row);
    const auto [entry, added] = list.spelled.emplace(spelling(text), item);
    if (!added && entry->second != item) entry->second = std::nullopt;
  };
  for (std::size_t row = 0; row < indices.size(); ++row) call(row, indices[row]);
  for (std::size_t row = 0; row < list.items.size(); ++row) call(row, list.items[row].name);
  for (const auto& [row, text] : aliases) call(row, text);
  for (std::size_t row = 0; row < list.items.size(); ++row) {
    call(row, list.items[row].image);
    call(row, without_folder(list.items[row].image));
    spell(row, list.items[row].name);
    spell(row, list.items[row].image);
  }
  for (const auto& [row, text] : aliases) spell(row, text);
  return list;
}

ItemResolver::ItemResolver(const ItemList* list, const ReadOptions& options)
    : list_(list),
      ids_from_(options.ids_from),
      add_unknown_(options.add_unknown_items),
      merge_names_(options.merge_names) {}

std::optional<ItemId> ItemResolver::listed(std::string_view cell) const {
  if (ids_from_) {
    if (const auto number = parse_integer(cell)) {
      const std::int64_t row = *number - *ids_from_;
      const auto count = static_cast<std::int64_t>(list_->items.size());
      if (row >= 0 && row < count) return static_cast<ItemId>(row);
      throw InputError({{},
                        in_quotes(cell),
                        fmt::format("an id from {} to {}", *ids_from_, count - 1 + *ids_from_),
                        ""});
    }
  }
  auto found = list_->called.find(as_name(cell));
  if (found == list_->called.end()) found = list_->called.find(std::string(without_folder(cell)));
  if (found != list_->called.end()) return found->second;
  if (parse_integer(cell)) return std::nullopt;  // numbers have one spelling
  const auto spelled = list_->spelled.find(spelling(cell));
  return spelled == list_->spelled.end() ? std::nullopt : spelled->second;
}

void ItemResolver::check(std::string_view cell) const {
  const auto number = parse_integer(cell);
  if (number && *number < 0) {
    throw InputError({{}, in_quotes(cell), "an item; ids are not negative", ""});
  }
  if (list_ == nullptr) {
    if (ids_from_ && !number) {
      throw InputError({{}, in_quotes(cell), "an integer id", ""});
    }
    if (ids_from_ && *number < *ids_from_) {
      throw InputError({{},
                        in_quotes(cell),
                        fmt::format("ids from {} on", *ids_from_),
                        "If ids count from 0, use --ids-from 0"});
    }
    return;
  }
  if (listed(cell) || add_unknown_) return;
  if (number && !list_->has_index) {
    throw InputError({{},
                      in_quotes(cell),
                      "the name of an item in the items file, which has no column of ids",
                      "Say whether ids count from 0 or from 1: --ids-from 0 or --ids-from 1"});
  }
  throw InputError({{},
                    in_quotes(cell),
                    "an item of the items file",
                    number ? "If ids count from 1, add --ids-from 1; to accept new items, add "
                             "--unknown-items add"
                           : "To accept new items, add --unknown-items add"});
}

ItemId ItemResolver::resolve(std::string_view cell, ItemTable& items) {
  check(cell);
  if (list_ != nullptr) {
    if (const auto item = listed(cell)) return *item;
  }
  std::string name = as_name(cell);
  if (merge_names_ && !parse_integer(name)) name = spelling(name);
  return items.add(name);
}

}  // namespace tertium::internal
