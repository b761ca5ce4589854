#include "tertium/answers/data_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/question_tally.hpp"
#include "tertium/core/linked_groups.hpp"
#include "tertium/core/number.hpp"

namespace tertium::internal {
namespace {

/// Fewer answers than this say nothing about a participant. Where others agree in 70 %, somebody
/// who answers at random is seen in 17 of 100 cases by 10 answers, in 41 by 20, in 68 by 40.
constexpr std::uint64_t enough_answers = 20;
/// So many repeated questions without two equal answers do not happen among real answers: by coin
/// tosses once in a million files; 10, once in a thousand.
constexpr std::uint64_t enough_repeats = 20;
/// By chance, 20 answers out of two places are so one-sided in 4 of 10,000 cases (at 0.8, in 1 of
/// 100); whoever picks one place 95 times in 100 is seen in 92 of 100 cases (at 0.95, in 74).
constexpr double one_sided_share = 0.9;
/// A participant looks random whose agreement is at most one standard error above chance and at
/// least two below what is usual: somebody who answers like the others is then flagged in less than
/// two of a hundred cases, somebody who answers at random in five of six with 100 answers (of which
/// others agree in 70 %). Half an error above chance: in four of six; two: in all, and one of a
/// hundred of the others. One error below what is usual flags 11 of 100 others with 20 answers;
/// four see half of the random ones with 100.
constexpr double errors_above_chance = 1.0;
constexpr double errors_below_usual = 2.0;
constexpr std::size_t longest_gap_list = 1000;  // nobody reads further

std::size_t choices(QuestionKind kind) {
  return kind == QuestionKind::odd_one_out || kind == QuestionKind::most_central ? 3 : 2;
}

/// Answers given to one question: votes are so many answers.
std::array<double, 3> answer_counts(const QuestionTally& tally) {
  std::array<double, 3> counts{};
  for (std::size_t c = 0; c < counts.size(); ++c) {
    counts[c] = tally.whole_weights
                    ? static_cast<double>(tally.weight[c]) / static_cast<double>(weight_one)
                    : static_cast<double>(tally.count[c]);
  }
  return counts;
}

/// How well the answers agree to questions that were asked more than once.
class RepeatAgreement {
 public:
  void add(const std::array<double, 3>& counts, double asked) {
    ++questions_;
    for (const double n : counts) agreeing_pairs_[asked] += n * (n - 1);
  }
  void add(const RepeatAgreement& other) {
    questions_ += other.questions_;
    for (const auto& [asked, agreeing] : other.agreeing_pairs_) agreeing_pairs_[asked] += agreeing;
  }

  [[nodiscard]] std::uint64_t questions() const { return questions_; }
  /// Whoever cleaned the data kept one answer to each question, or two that disagree.
  [[nodiscard]] bool repeats_removed() const { return questions_ >= enough_repeats && sum() == 0; }
  [[nodiscard]] std::optional<double> mean() const {
    if (questions_ == 0 || repeats_removed()) return std::nullopt;
    return sum() / static_cast<double>(questions_);
  }

 private:
  [[nodiscard]] double sum() const {
    double sum = 0;
    for (const auto& [asked, agreeing] : agreeing_pairs_) sum += agreeing / (asked * (asked - 1));
    return sum;
  }

  std::uint64_t questions_ = 0;
  /// Ordered pairs of equal answers, by how often the question was asked: whole numbers, so that
  /// the mean does not depend on the order of the questions, which is that of the numbers of items.
  std::map<double, double> agreeing_pairs_;
};

void check_questions(const std::vector<Answer>& answers, DataCheck& check) {
  RepeatAgreement agreement;
  double chance_sum = 0;
  tally_questions(answers, [&](const QuestionTally& tally) {
    const auto counts = answer_counts(tally);
    const double asked = counts[0] + counts[1] + counts[2];
    ++check.distinct_questions;
    check.most_asked = std::max(check.most_asked, static_cast<std::uint64_t>(asked));
    if (std::count_if(counts.begin(), counts.end(), [](double n) { return n > 0; }) > 1) {
      ++check.contradicted_questions;
    }
    if (asked < 2) return;
    agreement.add(counts, asked);
    chance_sum += 1.0 / static_cast<double>(choices(tally.question.kind));
  });
  check.repeated_questions = agreement.questions();
  check.repeats_removed = agreement.repeats_removed();
  check.repeat_agreement = agreement.mean();
  if (!check.repeat_agreement) return;
  check.chance_agreement = chance_sum / static_cast<double>(check.repeated_questions);
}

void check_items(const StoredAnswers& stored, std::size_t listed, DataCheck& check) {
  const std::size_t size = stored.items.size();
  std::vector<std::uint64_t> mentions(size);
  std::vector<std::uint64_t> anchors(size);
  LinkedGroups components(size);
  bool anchored = false;
  for (const Answer& answer : stored.answers()) {
    for (std::size_t i = 0; i < items_in(answer.kind); ++i) {
      ++mentions[answer.items[i]];
      components.link(answer.items[0], answer.items[i]);
    }
    if (answer.kind == QuestionKind::quadruplet) continue;
    anchored = true;
    const TripletList list = triplets_of(answer.kind, answer.items);
    for (std::size_t t = 0; t < list.size; ++t) ++anchors[list.triplets[t][0]];
  }
  std::vector<ItemId> order(size);
  std::iota(order.begin(), order.end(), ItemId{0});
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(listed), order.end(),
            [&](ItemId a, ItemId b) {
              return item_name_less(stored.items.name(a), stored.items.name(b));
            });
  std::vector<std::vector<std::string>> members(size);
  for (const ItemId item : order) {
    const std::string& name = stored.items.name(item);
    if (mentions[item] == 0) {
      check.unmentioned_items.push_back(name);
      continue;
    }
    if (mentions[item] == 1) check.once_mentioned_items.push_back(name);
    if (anchored && anchors[item] == 0) check.never_anchors.push_back(name);
    members[components.group_of(item)].push_back(name);
  }
  for (auto& component : members) {
    if (!component.empty()) check.components.push_back(std::move(component));
  }
  std::stable_sort(check.components.begin(), check.components.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

/// Numbers that no item has, between the smallest and the largest one.
void check_numbers(const StoredAnswers& stored, std::size_t listed, DataCheck& check) {
  if (listed > 0 || stored.items.size() == 0) return;
  std::vector<std::int64_t> numbers;
  for (const std::string& name : stored.items.names()) {
    const auto number = parse_integer(name);
    if (!number) return;
    numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    for (std::int64_t missing = numbers[i - 1] + 1; missing < numbers[i]; ++missing) {
      if (check.unused_numbers.size() >= longest_gap_list) return;
      check.unused_numbers.push_back(static_cast<std::uint64_t>(missing));
    }
  }
}

/// Sums for one participant.
struct ParticipantSums {
  double agreeing = 0;
  double chance = 0;
  std::array<std::uint64_t, 256> places{};
};

void add_shared_answers(const std::vector<Answer>& answers, std::vector<ParticipantSums>& sums,
                        std::vector<ParticipantCheck>& checks) {
  struct Entry {
    AnsweredQuestion answered;
    ParticipantId participant;
  };
  std::vector<Entry> entries;
  for (const Answer& answer : answers) entries.push_back({question_of(answer), answer.participant});
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.answered.question < b.answered.question;
  });
  for (std::size_t first = 0; first < entries.size();) {
    std::size_t last = first;
    std::array<double, 3> given{};
    while (last < entries.size() &&
           entries[last].answered.question == entries[first].answered.question) {
      ++given[entries[last].answered.choice];
      ++last;
    }
    std::stable_sort(entries.begin() + static_cast<std::ptrdiff_t>(first),
                     entries.begin() + static_cast<std::ptrdiff_t>(last),
                     [](const Entry& a, const Entry& b) { return a.participant < b.participant; });
    for (std::size_t from = first; from < last;) {
      const ParticipantId participant = entries[from].participant;
      std::size_t to = from;
      std::array<double, 3> own{};
      for (; to < last && entries[to].participant == participant; ++to) {
        ++own[entries[to].answered.choice];
      }
      const auto others = static_cast<double>((last - first) - (to - from));
      if (participant > 0 && others > 0) {
        for (std::size_t c = 0; c < own.size(); ++c) {
          sums[participant - 1].agreeing += own[c] * (given[c] - own[c]) / others;
        }
        const auto kind = entries[from].answered.question.kind;
        const auto count = static_cast<double>(to - from);
        sums[participant - 1].chance += count / static_cast<double>(choices(kind));
        checks[participant - 1].shared_answers += to - from;
      }
      from = to;
    }
    first = last;
  }
}

void check_participants(const StoredAnswers& stored, DataCheck& check) {
  check.participants.resize(stored.participants.size());
  std::vector<ParticipantSums> sums(stored.participants.size());
  for (const Answer& answer : stored.answers()) {
    if (answer.participant == 0) continue;
    ParticipantCheck& participant = check.participants[answer.participant - 1];
    ++participant.answers;
    if (answer.position == 0) continue;
    ++participant.placed_answers;
    ++sums[answer.participant - 1].places[answer.position];
  }
  add_shared_answers(stored.answers(), sums, check.participants);
  for (std::size_t p = 0; p < check.participants.size(); ++p) {
    ParticipantCheck& participant = check.participants[p];
    participant.name = stored.participants.name(static_cast<ItemId>(p));
    if (participant.shared_answers > 0) {
      const auto shared = static_cast<double>(participant.shared_answers);
      const double chance = sums[p].chance / shared;
      participant.agreement = sums[p].agreeing / shared;
      const double error = std::sqrt(chance * (1 - chance) / shared);
      participant.looks_random =
          check.repeat_agreement && participant.shared_answers >= enough_answers &&
          *participant.agreement < chance + errors_above_chance * error &&
          *participant.agreement < *check.repeat_agreement - errors_below_usual * error;
    }
    if (participant.placed_answers > 0) {
      const auto& places = sums[p].places;
      const auto favourite = std::max_element(places.begin(), places.end());
      participant.favourite_place = static_cast<std::uint64_t>(favourite - places.begin());
      participant.favourite_share =
          static_cast<double>(*favourite) / static_cast<double>(participant.placed_answers);
      participant.one_sided = participant.placed_answers >= enough_answers &&
                              *participant.favourite_share >= one_sided_share;
    }
  }
}

}  // namespace

std::optional<double> repeat_agreement(const AnswerColumns& answers, Run& run) {
  std::vector<RepeatAgreement> by_worker(static_cast<std::size_t>(run.threads()));
  tally_repeated_questions(answers, run, [&](int worker, const QuestionTally& tally) {
    const auto counts = answer_counts(tally);
    const double asked = counts[0] + counts[1] + counts[2];
    if (asked >= 2) by_worker[static_cast<std::size_t>(worker)].add(counts, asked);
  });
  RepeatAgreement all;
  for (const RepeatAgreement& part : by_worker) all.add(part);
  return all.mean();
}

std::optional<double> repeat_agreement(const std::vector<Answer>& answers) {
  DataCheck check;
  check_questions(answers, check);
  return check.repeat_agreement;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

double prediction_ceiling(double repeat_agreement, QuestionKind kind) {
  if (choices(kind) > 2) return std::sqrt(repeat_agreement);
  return (1 + std::sqrt(std::max(0.0, 2 * repeat_agreement - 1))) / 2;
}

DataCheck check_data(const StoredAnswers& stored, std::size_t listed, std::uint64_t comparisons) {
  DataCheck check;
  check.answers = stored.answers().size();
  check.comparisons = comparisons;
  check.items = stored.items.size();
  for (const Answer& answer : stored.answers()) {
    check.weight += static_cast<double>(answer.weight) / static_cast<double>(weight_one);
  }
  check_questions(stored.answers(), check);
  if (check.repeat_agreement) {
    const QuestionKind kind = stored.answers().front().kind;
    check.prediction_ceiling = prediction_ceiling(*check.repeat_agreement, kind);
  }
  check_items(stored, listed, check);
  check_numbers(stored, listed, check);
  check_participants(stored, check);
  return check;
}

}  // namespace tertium
