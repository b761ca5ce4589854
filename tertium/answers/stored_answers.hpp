#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/answers.hpp"

namespace tertium::internal {

/// The answers that count under `repeats`, and how many questions were tied.
struct ReducedAnswers {
  std::vector<Answer> answers;
  std::uint64_t ties = 0;
};
ReducedAnswers reduce_repeats(std::vector<Answer> answers, Repeats repeats);

}  // namespace tertium::internal
