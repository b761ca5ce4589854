#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tertium/answers.hpp"

namespace tertium {

/// One participant's answers.
struct ParticipantCheck {
  std::string name;
  std::uint64_t answers = 0;

  // Over answers to questions that others answered too: mean share of the others who agree.
  std::uint64_t shared_answers = 0;
  std::optional<double> agreement;

  // Over answers whose place on the screen is known: the place picked most often (from 1), its
  // share, and how many answers that is about.
  std::uint64_t placed_answers = 0;
  std::uint64_t favourite_place = 0;
  std::optional<double> favourite_share;

  bool looks_random = false;  // agrees with others hardly more than chance would
  bool one_sided = false;     // picks the same place nearly always
};

/// What a file of answers is like. All counts are of answers that were used unless said otherwise.
struct DataCheck {
  std::uint64_t answers = 0;
  std::uint64_t comparisons = 0;
  double weight = 0;  // total weight of the answers: votes count as so many answers
  std::size_t items = 0;

  std::uint64_t distinct_questions = 0;
  std::uint64_t repeated_questions = 0;      // asked at least twice
  std::uint64_t contradicted_questions = 0;  // answered in more than one way
  std::uint64_t most_asked = 0;              // how often the most frequent question was asked

  /// Chance that two answers to the same question agree: mean over repeated questions. Empty if
  /// no question was repeated, or if repeats were removed before (no answer occurs twice in many
  /// repeated questions).
  std::optional<double> repeat_agreement;
  std::optional<double> prediction_ceiling;  // that follows from it, see below
  bool repeats_removed = false;
  double chance_agreement = 0.5;  // of answers at random

  std::vector<std::string> unmentioned_items;
  std::vector<std::string> once_mentioned_items;
  std::vector<std::string> never_anchors;     // for questions with an anchor only
  std::vector<std::uint64_t> unused_numbers;  // gaps, where items are numbers without a list

  /// Items linked by answers, the largest component first. Unmentioned items are in none.
  std::vector<std::vector<std::string>> components;

  std::vector<ParticipantCheck> participants;  // in the order of the file
};

/// The largest share of all answers that anybody can predict, if two answers to one question
/// agree with probability a: by Jensen's inequality the mean of the largest probability of an
/// option is at most (1 + sqrt(2a - 1)) / 2 for two options, and at most sqrt(a) for more.
double prediction_ceiling(double repeat_agreement, QuestionKind kind);

/// Examines answers that were read into `stored`. The first `listed` items come from a list, in its
/// order; `comparisons` is how many triplets or quadruplets the answers give.
DataCheck check_data(const StoredAnswers& stored, std::size_t listed, std::uint64_t comparisons);

}  // namespace tertium
