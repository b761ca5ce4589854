#include "tertium/reading/integer_rows.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "tertium/answers/answer.hpp"
#include "tertium/core/number.hpp"

namespace tertium::internal {
namespace {

constexpr ItemId unknown_item = ~ItemId{0};

constexpr std::size_t batch_rows = 1024;

/// Places of columns without an item.
constexpr int nowhere = -1;
constexpr int names_participant = -2;

/// Bytes that must be readable where a row is read at once: 32 for the ends, 8 more for a number.
constexpr std::ptrdiff_t window = 40;

unsigned digit(char c) { return static_cast<unsigned char>(c) - static_cast<unsigned>('0'); }

/// Value of the `length` (1 to 7) digits at `at`; eight bytes must be readable there.
inline std::uint32_t number_at(const char* at, unsigned length) {
  std::uint64_t digits = 0;
  std::memcpy(&digits, at, 8);
  // Digits to the upper bytes, zeros in front; then neighbours are joined: 1, 2 and 4 at a time.
  digits = (digits ^ 0x3030303030303030ULL) << (64 - 8 * length);
  digits = digits * 10 + (digits >> 8U);
  constexpr std::uint64_t every_fourth = 0x000000FF000000FFULL;
  return static_cast<std::uint32_t>((((digits & every_fourth) * 0x000F424000000064ULL) +
                                     (((digits >> 16U) & every_fourth) * 0x0000271000000001ULL)) >>
                                    32U);
}

/// Bit i is set if byte i of the 32 bytes at `at` is not a digit.
inline std::uint32_t other_than_digits(const char* at) {
#if defined(__SSE2__)
  const auto half = [](const char* bytes) {
    const __m128i digits =
        _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)), _mm_set1_epi8('0'));
    const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(is_digit)) ^ 0xFFFFU;
  };
  return half(at) | (half(at + 16) << 16U);
#else
  std::uint32_t others = 0;
  for (unsigned i = 0; i < 32; ++i) others |= (digit(at[i]) > 9 ? 1U : 0U) << i;
  return others;
#endif
}

/// A number of one to seven digits that is followed by something else, byte by byte.
inline bool take_number(const char*& at, std::uint32_t& value) {
  const char* const start = at;
  value = 0;
  for (; digit(*at) <= 9 && at - start < 8; ++at) value = value * 10 + digit(*at);
  const auto length = at - start;
  return length >= 1 && length <= 7 && (length == 1 || *start != '0');
}

}  // namespace

IntegerRows::IntegerRows(Interpreter& interpreter, char separator)
    : interpreter_(interpreter), separator_(separator), kind_(interpreter.question_kind()) {
  const auto columns = interpreter.plain_columns();
  usable_ = !columns.empty() && separator != ' ' && !interpreter.needs_positions();
  if (!usable_) return;
  place_of_column_.assign(interpreter.table().columns.size(), nowhere);
  if (const auto column = interpreter.participant_column()) {
    named_ = true;
    place_of_column_[*column] = names_participant;
    participants_.resize(batch_rows);
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    place_of_column_[columns[i]] = static_cast<int>(i);
  batch_.resize(batch_rows * columns.size());
}

/// The items of a row in which some number is new. False, and nothing added, if the interpreter
/// would refuse one of them.
bool IntegerRows::add_items(std::span<const std::uint32_t> numbers, ItemId* items) {
  try {
    for (const std::uint32_t number : numbers) interpreter_.check_item(std::to_string(number));
  } catch (const InputError&) {
    return false;  // the interpreter refuses it again, with the place
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint32_t number = numbers[i];
    items[i] = interpreter_.resolve(std::to_string(number));
    if (number >= item_of_number_.size()) {
      item_of_number_.resize(std::bit_ceil(number + 1U), unknown_item);
    }
    item_of_number_[number] = items[i];
  }
  return true;
}

/// Rows of one participant often follow each other.
ParticipantId IntegerRows::participant(std::string_view cell) {
  if (cell != last_cell_) {
    last_cell_ = cell;
    last_participant_ = interpreter_.participant(trimmed(cell));
  }
  return last_participant_;
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
  const std::size_t columns = every_column ? width : place_of_column_.size();
  const int* const places = place_of_column_.data();
  const char separator = separator_;
  ItemId* const batch = batch_.data();
  const std::size_t batch_size = batch_.size();
  const ItemId* item_of_number = item_of_number_.data();
  std::size_t known_numbers = item_of_number_.size();
  std::size_t filled = 0;
  std::uint64_t rows = 0;
  const auto flush = [&] {
    const std::size_t count = named_ ? filled / width : 0;
    interpreter_.sink().add_plain({kind_, {batch, filled}, {participants_.data(), count}});
    filled = 0;
  };
  const auto find_items = [&](const std::array<std::uint32_t, width>& numbers, ItemId* items) {
    bool known = true;
    for (std::size_t i = 0; i < width; ++i) {
      items[i] = numbers[i] < known_numbers ? item_of_number[numbers[i]] : unknown_item;
      known = known && items[i] != unknown_item;
    }
    if (known) [[likely]]
      return true;
    if (!add_items(numbers, items)) return false;
    item_of_number = item_of_number_.data();
    known_numbers = item_of_number_.size();
    return true;
  };
  // A whole row within the next bytes: all cell ends are found at once, which keeps the processor
  // from waiting for one number to end before it looks at the next. False if the row is something
  // else.
  const auto take_short_row = [&](std::array<std::uint32_t, width>& numbers) {
    std::uint32_t others = other_than_digits(at);
    const char* cell = at;
    for (std::size_t column = 0; column < width; ++column) {
      const auto cell_end = at + std::countr_zero(others);
      const auto length = static_cast<unsigned>(cell_end - cell);
      if (others == 0 || length - 1 > 6 || (*cell == '0' && length > 1)) return false;
      if (*cell_end != (column + 1 < width ? separator : '\n')) return false;
      numbers[static_cast<std::size_t>(places[column])] = number_at(cell, length);
      others &= others - 1;
      cell = cell_end + 1;
    }
    at = cell;
    return true;
  };
  std::string_view who;  // cell of the participant in this row
  // One cell; false if the row is not plain.
  const auto take_cell = [&](std::size_t column, std::array<std::uint32_t, width>& numbers) {
    if (column > 0 && *at++ != separator) return false;
    if (!every_column && places[column] < 0) {
      const char* const cell = at;
      while (*at != separator && *at != '\n' && *at != '"' && static_cast<signed char>(*at) >= 0) {
        ++at;
      }
      if (places[column] == names_participant) who = {cell, at};
      return true;
    }
    return take_number(at, numbers[static_cast<std::size_t>(places[column])]);
  };
  const auto take_row = [&](std::array<std::uint32_t, width>& numbers) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (!take_cell(column, numbers)) return false;
    }
    if (*at == '\r') ++at;
    return *at++ == '\n';
  };
  while (at < end) {
    ItemId* const items = batch + filled;
    std::array<std::uint32_t, width> numbers{};
    const bool short_row = every_column && end - at >= window && take_short_row(numbers);
    if (!short_row) {
      at = row_start;
      if (!take_row(numbers)) break;
    }
    if (!find_items(numbers, items)) break;
    if (compares_with_itself(kind_, {items, width})) break;
    if (!every_column && named_) participants_[filled / width] = participant(who);
    row_start = at;
    filled += width;
    ++rows;
    if (filled == batch_size) flush();
  }
  if (filled > 0) flush();
  interpreter_.count_plain_rows(rows);
  return {static_cast<std::size_t>(row_start - text.data()), rows};
}

}  // namespace tertium::internal
