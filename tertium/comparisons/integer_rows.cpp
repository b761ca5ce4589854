#include "tertium/comparisons/integer_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace tertium {
namespace {

constexpr ItemId unknown_item = ~ItemId{0};

/// Larger numbers take the interpreter's way; the table of known numbers stays below 64 MB.
constexpr std::uint32_t largest_number = (1U << 24U) - 1;

constexpr std::size_t batch_rows = 1024;

unsigned digit(char c) { return static_cast<unsigned char>(c) - static_cast<unsigned>('0'); }

}  // namespace

IntegerRows::IntegerRows(Interpreter& interpreter, char separator)
    : interpreter_(interpreter), separator_(separator), kind_(interpreter.question_kind()) {
  const auto columns = interpreter.plain_columns();
  usable_ = !columns.empty() && separator != ' ' && interpreter.sink().takes_plain();
  if (!usable_) return;
  place_of_column_.assign(interpreter.table().columns.size(), -1);
  for (std::size_t i = 0; i < columns.size(); ++i)
    place_of_column_[columns[i]] = static_cast<int>(i);
  batch_.resize(batch_rows * columns.size());
}

ItemId IntegerRows::new_item(std::uint32_t number) {
  const ItemId item = interpreter_.resolve(std::to_string(number));
  if (number >= item_of_number_.size()) {
    item_of_number_.resize(std::bit_ceil(number + 1U), unknown_item);
  }
  item_of_number_[number] = item;
  return item;
}

IntegerRows::Progress IntegerRows::read(std::string_view text) {
  if (!usable_) return {};
  // Every row that is scanned ends in a line end, which also stops the scan of a number.
  const auto end = text.rfind('\n');
  if (end == std::string_view::npos) return {};
  text = text.substr(0, end + 1);
  const bool quadruplets = kind_ == QuestionKind::quadruplet;
  const bool every_column = place_of_column_.size() == items_in(kind_);
  if (every_column) return quadruplets ? scan<4, true>(text) : scan<3, true>(text);
  return quadruplets ? scan<4, false>(text) : scan<3, false>(text);
}

template <std::size_t width, bool every_column>
IntegerRows::Progress IntegerRows::scan(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const char* row_start = at;
  const std::size_t columns = place_of_column_.size();
  const int* const places = place_of_column_.data();
  ItemId* const batch = batch_.data();
  std::size_t filled = 0;
  std::uint64_t rows = 0;
  const auto flush = [&] {
    interpreter_.sink().add_plain({kind_, {batch, filled}});
    filled = 0;
  };
  while (at < end) {
    std::array<ItemId, width> items{};
    bool plain = true;
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) {
        if (*at != separator_) {
          plain = false;
          break;
        }
        ++at;
      }
      if (!every_column && places[column] < 0) {
        while (*at != separator_ && *at != '\n' && *at != '"' &&
               static_cast<signed char>(*at) >= 0) {
          ++at;
        }
        continue;
      }
      unsigned value = digit(*at);
      const char* const start = at++;
      for (unsigned next = digit(*at); next <= 9; next = digit(*++at)) value = value * 10 + next;
      const auto length = static_cast<std::size_t>(at - start);
      if (digit(*start) > 9 || length > 8 || value > largest_number ||
          (*start == '0' && length > 1)) {
        plain = false;
        break;
      }
      ItemId item = value < item_of_number_.size() ? item_of_number_[value] : unknown_item;
      if (item == unknown_item) [[unlikely]] {
        try {
          item = new_item(value);
        } catch (const InputError&) {
          plain = false;  // the interpreter refuses it again, with the place
          break;
        }
      }
      items[static_cast<std::size_t>(places[column])] = item;
    }
    if (plain && *at == '\r') ++at;
    if (!plain || *at != '\n' || compares_with_itself(kind_, items)) break;
    row_start = ++at;
    std::copy(items.begin(), items.end(), batch + filled);
    filled += width;
    ++rows;
    if (filled == batch_.size()) flush();
  }
  if (filled > 0) flush();
  interpreter_.count_plain_rows(rows);
  return {static_cast<std::size_t>(row_start - text.data()), rows};
}

}  // namespace tertium
