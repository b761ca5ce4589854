#include <algorithm>
#include <stdexcept>

#include "tertium/answers.hpp"

namespace tertium::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_integer(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_digit) &&
         (name.size() == 1 || name[0] != '0');
}

/// Takes the run of digits at the start of `text`, without leading zeros.
std::string_view take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits;
}

/// -1, 0 or 1 as for strings, with runs of digits compared by value.
int compare_naturally(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = take_digits(a);
      const std::string_view y = take_digits(b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
    } else {
      if (a[0] != b[0]) {
        return static_cast<unsigned char>(a[0]) < static_cast<unsigned char>(b[0]) ? -1 : 1;
      }
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

ItemId ItemTable::add(std::string_view name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    reserved_[found->second] = false;
    return found->second;
  }
  if (names_.size() >= ~ItemId{0}) throw std::length_error("more than 2^32 items");
  const auto item = static_cast<ItemId>(names_.size());
  names_.emplace_back(name);
  reserved_.push_back(false);
  by_name_.emplace(name, item);
  return item;
}

ItemId ItemTable::reserve(std::string_view name) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  const ItemId id = add(name);
  reserved_[id] = true;
  return id;
}

void ItemTable::reserve_numbers(std::uint32_t count) {
  for (; reserved_numbers_ < count; ++reserved_numbers_) reserve(std::to_string(reserved_numbers_));
}

bool item_name_less(std::string_view a, std::string_view b) {
  const bool a_integer = is_integer(a);
  const bool b_integer = is_integer(b);
  if (a_integer != b_integer) return a_integer;
  const int order = compare_naturally(a, b);
  return order != 0 ? order < 0 : a < b;
}

}  // namespace tertium
