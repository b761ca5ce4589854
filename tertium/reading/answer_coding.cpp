#include "tertium/reading/answer_coding.hpp"

#include <algorithm>
#include <array>

#include "tertium/core/number.hpp"
#include "tertium/reading/normalised_name.hpp"

namespace tertium::internal {
namespace {

constexpr std::string_view tie_words = "tie tied equal same both neither either draw";
constexpr std::array<std::string_view, 3> option_words = {"left first", "right second", "third"};

std::optional<std::size_t> position_from(std::optional<std::int64_t> number, std::int64_t first,
                                         std::size_t count) {
  if (!number || *number < first || *number >= first + static_cast<std::int64_t>(count)) return {};
  return static_cast<std::size_t>(*number - first);
}

}  // namespace

bool same_item(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto x = parse_integer(a);
  return x && x == parse_integer(b);
}

bool is_tie(std::string_view value) { return position_in(tie_words, normalised_name(value)) > 0; }

std::optional<std::size_t> decode_answer(std::string_view value, AnswerCoding coding,
                                         const OptionsShown& shown) {
  const std::size_t count = shown.pairs ? 2 : shown.items.size();
  const auto number = parse_integer(value);
  switch (coding) {
    case AnswerCoding::item:
      if (shown.pairs) return {};
      for (std::size_t i = 0; i < count; ++i) {
        if (same_item(shown.items[i], value)) return i;
      }
      return {};
    case AnswerCoding::from_zero:
      return position_from(number, 0, count);
    case AnswerCoding::from_one:
      return position_from(number, 1, count);
    case AnswerCoding::plus_minus:
      if (count != 2 || !number || *number < -1 || *number > 1) return {};
      return *number == 0 ? picked_none : *number == 1 ? 0 : 1;
    case AnswerCoding::words:
      for (std::size_t i = 0; i < std::min(count, option_words.size()); ++i) {
        if (position_in(option_words[i], normalised_name(value)) > 0) return i;
      }
      return {};
    case AnswerCoding::column:
      for (std::size_t i = 0; i < std::min(count, shown.column_names.size()); ++i) {
        if (normalised_name(shown.column_names[i]) == normalised_name(value)) return i;
      }
      return {};
  }
  return {};
}

std::bitset<answer_codings> fitting_codings(const std::vector<std::string>& values,
                                            const OptionsShown& shown) {
  std::bitset<answer_codings> fits;
  for (std::size_t i = 0; i < answer_codings; ++i) {
    fits[i] = std::all_of(values.begin(), values.end(), [&](const std::string& value) {
      // A 0 is a tie in +1/-1, but alone it does not speak for that coding.
      const auto pick = decode_answer(value, static_cast<AnswerCoding>(i), shown);
      return pick.has_value() && *pick != picked_none;
    });
  }
  constexpr auto words = static_cast<std::size_t>(AnswerCoding::words);
  constexpr auto column = static_cast<std::size_t>(AnswerCoding::column);
  if (fits[words] && fits[column] &&
      decode_answer(values[0], AnswerCoding::words, shown) ==
          decode_answer(values[0], AnswerCoding::column, shown)) {
    fits.reset(column);  // columns called left and right: both readings say the same
  }
  return fits;
}

}  // namespace tertium::internal
