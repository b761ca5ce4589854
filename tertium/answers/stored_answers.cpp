#include "tertium/answers/stored_answers.hpp"

#include <algorithm>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/question_tally.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

/// Their numbers and those of their screens have 32 bits.
constexpr std::size_t most_answers = std::size_t{1} << 32U;

}  // namespace

namespace {

/// The triplets and quadruplets that answers of every kind give.
std::vector<Answer> as_comparisons(const std::vector<Answer>& answers) {
  std::vector<Answer> comparisons;
  for (const Answer& answer : answers) {
    if (answer.kind == QuestionKind::quadruplet) comparisons.push_back(answer);
    const TripletList list = triplets_of(answer.kind, answer.items);
    for (std::size_t t = 0; t < list.size; ++t) {
      Answer triplet = answer;
      triplet.kind = QuestionKind::triplet;
      std::copy_n(list.triplets[t].begin(), 3, triplet.items.begin());
      comparisons.push_back(triplet);
    }
  }
  return comparisons;
}

}  // namespace

ReducedAnswers reduce_repeats(std::vector<Answer> answers, Repeats repeats) {
  if (repeats == Repeats::sum) return {std::move(answers), 0};
  if (repeats == Repeats::once) answers = as_comparisons(answers);
  ReducedAnswers reduced;
  tally_questions(answers, [&](const QuestionTally& tally) {
    const auto add = [&](std::size_t choice) {
      Answer answer;
      answer.kind = tally.question.kind;
      answer.items = items_of(tally.question, static_cast<std::uint8_t>(choice));
      reduced.answers.push_back(answer);
    };
    if (repeats == Repeats::once) {
      for (std::size_t choice = 0; choice < tally.weight.size(); ++choice) {
        if (tally.weight[choice] > 0) add(choice);
      }
      return;
    }
    const auto most = std::max_element(tally.weight.begin(), tally.weight.end());
    if (std::count(tally.weight.begin(), tally.weight.end(), *most) > 1) {
      ++reduced.ties;
    } else {
      add(static_cast<std::size_t>(most - tally.weight.begin()));
    }
  });
  return reduced;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string_view to_string(Repeats repeats) {
  switch (repeats) {
    case Repeats::sum:
      return "sum";
    case Repeats::once:
      return "once";
    case Repeats::majority:
      return "majority";
  }
  return "";
}

void StoredAnswers::add_screen(std::span<const Answer> answers) {
  if (answers_.size() + answers.size() >= most_answers) {
    throw InputError({{}, "2^32 answers or more", "fewer", "Take a part of the answers"});
  }
  for (const Answer& answer : answers) {
    answers_.push_back(answer);
    answers_.back().screen = screens_;
  }
  ++screens_;
}

void StoredAnswers::add_plain(const PlainAnswers& plain) {
  const std::size_t width = items_in(plain.kind);
  for (std::size_t at = 0; at < plain.items.size(); at += width) {
    Answer answer;
    answer.kind = plain.kind;
    std::copy_n(plain.items.begin() + static_cast<std::ptrdiff_t>(at), width, answer.items.begin());
    if (!plain.participants.empty()) answer.participant = plain.participants[at / width];
    add(answer);
  }
}

}  // namespace tertium
