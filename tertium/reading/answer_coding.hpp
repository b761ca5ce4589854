#pragma once

#include <bitset>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/reading/layout.hpp"

namespace tertium::internal {

/// What an answer can pick from in one row.
struct OptionsShown {
  std::vector<std::string> items;         // options shown
  std::vector<std::string> column_names;  // of their columns; empty for a list or without a header
  bool pairs = false;                     // the first two and the last two are picked together
};

/// The answer says that no option is nearer.
inline constexpr std::size_t picked_none = std::numeric_limits<std::size_t>::max();

/// Which option (or pair) a value names under a coding; empty if it names none.
std::optional<std::size_t> decode_answer(std::string_view value, AnswerCoding coding,
                                         const OptionsShown& shown);

/// The codings under which all values name an option, as bits in the order of AnswerCoding.
std::bitset<answer_codings> fitting_codings(const std::vector<std::string>& values,
                                            const OptionsShown& shown);

/// Tie, equal, both, neither, ...
bool is_tie(std::string_view value);

/// The same text, or the same integer ("3" and "3.0").
bool same_item(std::string_view a, std::string_view b);

}  // namespace tertium::internal
