#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/answers/stored_answers.hpp"
#include "tertium/check.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// DataCheck::repeat_agreement alone.
std::optional<double> repeat_agreement(const AnswerColumns& answers, Run& run);
std::optional<double> repeat_agreement(const std::vector<Answer>& answers);

}  // namespace tertium::internal
