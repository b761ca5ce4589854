#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tertium {

/// Number of an item inside one ItemTable, in the order in which items were added.
using ItemId = std::uint32_t;

/// The items of a run and their names. Every name occurs once.
class ItemTable {
 public:
  /// The item with this name; added if it is new.
  ItemId add(std::string_view name);

  [[nodiscard]] std::optional<ItemId> find(std::string_view name) const;
  [[nodiscard]] const std::string& name(ItemId item) const { return names_[item]; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> names_;
  std::unordered_map<std::string, ItemId, Hash, std::equal_to<>> by_name_;
};

/// The order of rows in every output: integers by value, then other names, with the numbers inside
/// names compared as numbers ("item2" before "item10").
bool item_name_less(std::string_view a, std::string_view b);

}  // namespace tertium
