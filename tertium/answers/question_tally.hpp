#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/answers/question.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// All answers to one question: how much weight each of the two or three possible answers has, and
/// how often it was given.
struct QuestionTally {
  Question question;
  std::array<Weight, 3> weight{};
  std::array<std::uint64_t, 3> count{};
  bool whole_weights = true;  // every answer has a whole number as its weight: so many votes
};

/// Calls `visit` for each of the different questions, in increasing order. Fewer than 2^32 answers.
/// Memory: 4 bytes per answer, 24 per answer that shares its first item with most others.
void tally_questions(const std::vector<Answer>& answers,
                     const std::function<void(const QuestionTally&)>& visit);
void tally_questions(const AnswerColumns& answers,
                     const std::function<void(const QuestionTally&)>& visit);

/// Calls `visit(worker, tally)` for each question that was asked more than once, and maybe for
/// others, in no order: worker is one of 0 .. run.threads()-1, and one thread at a time is it.
/// Triplets of weight one that are in the order of their first item, as lists have them, are
/// counted by all threads. Memory for these: 16 to 32 bytes per answer about one anchor.
void tally_repeated_questions(const AnswerColumns& answers, Run& run,
                              const std::function<void(int, const QuestionTally&)>& visit);

}  // namespace tertium::internal
