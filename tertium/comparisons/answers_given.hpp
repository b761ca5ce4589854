#pragma once

#include <vector>

#include "tertium/comparisons/answer.hpp"
#include "tertium/comparisons/layout.hpp"

namespace tertium {

/// A question that was shown, and what was picked: indices into the options, for rankings in the
/// order of likeness, for quadruplets 0 or 1 for the first or second pair.
struct Response {
  LayoutKind kind = LayoutKind::triplets;
  ItemId anchor = 0;
  std::vector<ItemId> options;
  std::vector<std::size_t> picks;
  bool picks_different = false;  // the pair picked is the one that differs more
};

/// The answers that a response gives, as docs/formats.md lists them; weight, participant and
/// position are those of `details`.
std::vector<Answer> answers_given(const Response& response, const Answer& details);

}  // namespace tertium
