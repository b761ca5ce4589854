#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/reading/read_options.hpp"

namespace tertium::internal {

/// One line of an items file.
struct ListedItem {
  std::string name;
  std::string image;     // path of a picture; empty if none
  std::string category;  // known class; empty if none
};

/// An items file: the items in its order, and every text by which answers may call them (index,
/// name, alias, path of the picture, with or without its folder), also in another spelling.
struct ItemList {
  std::vector<ListedItem> items;
  std::unordered_map<std::string, ItemId> called;
  std::unordered_map<std::string, std::optional<ItemId>> spelled;  // none: several are spelled so
  bool has_index = false;
};

/// Reads an items file. The name column is `name_column`, or the best of the usual names (name,
/// item, label, stimulus, ...), or the only column that is neither index, picture nor category. An
/// empty name becomes the index. Throws InputError for two items with one name.
ItemList read_item_list(const InputFile& file, const std::optional<std::string>& name_column);

/// Turns cells into items. Without a list, an item is what the cell says, integers by their number;
/// with `merge_names` its spelling (item_name.hpp).
class ItemResolver {
 public:
  ItemResolver(const ItemList* list, const ReadOptions& options);

  /// Item of a non-empty cell; added to `items` if there is no list or unknown items are welcome.
  /// The first ids of `items` must be those of the list. Throws InputError without a place.
  ItemId resolve(std::string_view cell, ItemTable& items);

  /// Throws as `resolve` would, and adds nothing.
  void check(std::string_view cell) const;

  [[nodiscard]] bool has_list() const { return list_ != nullptr; }

 private:
  [[nodiscard]] std::optional<ItemId> listed(std::string_view cell) const;

  const ItemList* list_;
  std::optional<int> ids_from_;
  bool add_unknown_;
  bool merge_names_;
};

}  // namespace tertium::internal
