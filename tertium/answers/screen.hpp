#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/answers/answer.hpp"

namespace tertium::internal {

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

}  // namespace tertium::internal
