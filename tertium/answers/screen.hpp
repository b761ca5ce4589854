#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tertium/answers/answer.hpp"

namespace tertium {

/// What a participant was asked to do on one screen, as `--kind` names it. One screen and one
/// response are one piece of evidence, whatever number of comparisons follows from it.
enum class ScreenKind : std::uint8_t {
  triplets,
  quadruplets,
  odd_one_out,
  most_central,
  ranking,  // every earlier option is nearer to the anchor than every later one
  grid      // every chosen option is nearer to the anchor than every option not chosen
};

std::string_view to_string(ScreenKind kind);
std::optional<ScreenKind> parse_screen_kind(std::string_view text);

/// What was shown on one screen, and what was picked: indices into the options, for rankings in the
/// order of likeness, for quadruplets 0 or 1 for the first or second pair.
struct Screen {
  ScreenKind kind = ScreenKind::triplets;
  ItemId anchor = 0;
  std::vector<ItemId> options;
  std::vector<std::size_t> picks;
  bool picks_different = false;  // the pair picked is the one that differs more
};

/// The answers that the response to a screen gives, as docs/formats.md lists them; weight,
/// participant and position are those of `details`.
std::vector<Answer> answers_given(const Screen& screen, const Answer& details);

}  // namespace tertium
