#pragma once

#include <cstdint>
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

  /// Keeps ids for the numbers 0 .. count-1, in this order, before it is known which of them are
  /// items: numbers then have ids in increasing order, which is the order of rows in the end. They
  /// become items by `add`.
  void reserve_numbers(std::uint32_t count);

  [[nodiscard]] std::uint32_t reserved_numbers() const { return reserved_numbers_; }

  /// An id for this name, which becomes an item only by `add`.
  ItemId reserve(std::string_view name);

  /// False for a reserved name that was never added.
  [[nodiscard]] bool is_item(ItemId id) const { return !reserved_[id]; }

  [[nodiscard]] const std::string& name(ItemId item) const { return names_[item]; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Number of ids, reserved ones included.
  [[nodiscard]] std::size_t size() const { return names_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> names_;
  std::vector<bool> reserved_;
  std::unordered_map<std::string, ItemId, Hash, std::equal_to<>> by_name_;
  std::uint32_t reserved_numbers_ = 0;
};

/// The order of rows in every output: integers by value, then other names, with the numbers inside
/// names compared as numbers ("item2" before "item10").
bool item_name_less(std::string_view a, std::string_view b);

}  // namespace tertium
