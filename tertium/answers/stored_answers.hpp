#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tertium/answers/answer_sink.hpp"

namespace tertium {

/// What to do with questions that were answered several times.
enum class Repeats : std::uint8_t {
  sum,      // every answer is evidence
  once,     // the set of different answers, as in the paper: each counts once, whatever its weight
  majority  // the answer with most weight counts once; an equal split counts as a tie
};

std::string_view to_string(Repeats repeats);

/// A sink that keeps all answers, for what cannot be done in one pass. Screens are numbered from 0,
/// in the order in which they come.
class StoredAnswers : public AnswerSink {
 public:
  void add(const Answer& answer) override { add_screen({&answer, 1}); }
  void add_screen(std::span<const Answer> answers) override;
  void add_plain(const PlainAnswers& plain) override;
  [[nodiscard]] AnswerDetail detail() const override { return AnswerDetail::everything; }

  [[nodiscard]] const std::vector<Answer>& answers() const { return answers_; }
  [[nodiscard]] std::vector<Answer> take_answers() { return std::move(answers_); }

 private:
  std::vector<Answer> answers_;
  std::uint32_t screens_ = 0;
};

/// The answers that count under `repeats`, and how many questions were tied.
struct ReducedAnswers {
  std::vector<Answer> answers;
  std::uint64_t ties = 0;
};
ReducedAnswers reduce_repeats(std::vector<Answer> answers, Repeats repeats);

}  // namespace tertium
