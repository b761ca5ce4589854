#pragma once

#include "tertium/answers/answer_keeper.hpp"
#include "tertium/similarity/accumulator.hpp"

namespace tertium::internal {

/// Adds up answers as an Accumulator does, and keeps them for those who go over them again.
class KeepingAccumulator : public Accumulator {
 public:
  /// In front of `total`, for one thread.
  explicit KeepingAccumulator(Accumulator& total) : Accumulator(total) {}

  void begin_part(std::uint64_t number) override { kept.begin_part(number, participants.size()); }
  void add(const Answer& answer) override { add_screen({&answer, 1}); }
  void add_screen(std::span<const Answer> answers) override {
    for (const Answer& answer : answers) Accumulator::add(answer);
    kept.add_screen(answers);
  }
  void add_plain(const PlainAnswers& answers) override {
    Accumulator::add_plain(answers);
    kept.add_plain(answers);
  }
  [[nodiscard]] AnswerDetail detail() const override { return AnswerDetail::participants; }

  AnswerKeeper kept;
};

}  // namespace tertium::internal
