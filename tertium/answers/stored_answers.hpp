#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/answers/answer_sink.hpp"
#include "tertium/answers/question.hpp"

namespace tertium {

/// What to do with questions that were answered several times.
enum class Repeats : std::uint8_t {
  sum,      // every answer is evidence
  once,     // the set of different answers, as in the paper: each counts once, whatever its weight
  majority  // the answer with most weight counts once; an equal split counts as a tie
};

std::string_view to_string(Repeats repeats);

/// A sink that keeps all answers, for what cannot be done in one pass.
class StoredAnswers : public AnswerSink {
 public:
  void add(const Answer& answer) override { answers_.push_back(answer); }
  void add_plain(const PlainAnswers& plain) override;
  [[nodiscard]] bool wants_only_sums() const override { return false; }

  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] std::vector<Answer> take_answers() { return std::move(answers_); }

 private:
  std::vector<Answer> answers_;
};

/// All answers to one question: how much weight each of the two or three possible answers has, and
/// how often it was given.
struct QuestionTally {
  Question question;
  std::array<Weight, 3> weight{};
  std::array<std::uint64_t, 3> count{};
  bool whole_weights = true;  // every answer has a whole number as its weight: so many votes
};

/// Calls `visit` for each of the different questions, in increasing order.
void tally_questions(const std::vector<Answer>& answers,
                     const std::function<void(const QuestionTally&)>& visit);

/// The answers that count under `repeats`, and how many questions were tied.
struct ReducedAnswers {
  std::vector<Answer> answers;
  std::uint64_t ties = 0;
};
ReducedAnswers reduce_repeats(std::vector<Answer> answers, Repeats repeats);

}  // namespace tertium
