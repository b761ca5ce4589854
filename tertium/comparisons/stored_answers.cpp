#include "tertium/comparisons/stored_answers.hpp"

#include <algorithm>

namespace tertium {

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

void StoredAnswers::add_plain(const PlainAnswers& plain) {
  const std::size_t width = items_in(plain.kind);
  for (std::size_t at = 0; at < plain.items.size(); at += width) {
    Answer answer;
    answer.kind = plain.kind;
    std::copy_n(plain.items.begin() + static_cast<std::ptrdiff_t>(at), width, answer.items.begin());
    add(answer);
  }
}

std::vector<QuestionTally> tally_questions(const std::vector<Answer>& answers) {
  struct Entry {
    AnsweredQuestion answered;
    Weight weight;
  };
  std::vector<Entry> entries;
  entries.reserve(answers.size());
  for (const Answer& answer : answers) entries.push_back({question_of(answer), answer.weight});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.answered.question < b.answered.question;
  });
  std::vector<QuestionTally> tallies;
  for (const Entry& entry : entries) {
    if (tallies.empty() || tallies.back().question != entry.answered.question) {
      tallies.push_back({entry.answered.question, {}, {}, true});
    }
    tallies.back().weight[entry.answered.choice] += entry.weight;
    tallies.back().count[entry.answered.choice] += 1;
    if (entry.weight % weight_one != 0) tallies.back().whole_weights = false;
  }
  return tallies;
}

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

ReducedAnswers reduce_repeats(const std::vector<Answer>& answers, Repeats repeats) {
  if (repeats == Repeats::sum) return {answers, 0};
  ReducedAnswers reduced;
  for (const QuestionTally& tally :
       tally_questions(repeats == Repeats::once ? as_comparisons(answers) : answers)) {
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
      continue;
    }
    const auto most = std::max_element(tally.weight.begin(), tally.weight.end());
    if (std::count(tally.weight.begin(), tally.weight.end(), *most) > 1) {
      ++reduced.ties;
    } else {
      add(static_cast<std::size_t>(most - tally.weight.begin()));
    }
  }
  return reduced;
}

}  // namespace tertium
