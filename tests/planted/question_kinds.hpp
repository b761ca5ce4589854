#pragma once

#include "tertium/answers/question.hpp"

namespace tertium::internal {

/// All that a simulated survey can ask.
inline constexpr QuestionKind question_kinds[] = {QuestionKind::triplet, QuestionKind::quadruplet,
                                                  QuestionKind::odd_one_out,
                                                  QuestionKind::most_central};

}  // namespace tertium::internal
