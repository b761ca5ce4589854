#include "tertium/answers/stored_answers.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

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

namespace {

/// An answer to one of the questions with the same kind and first item.
struct GroupedAnswer {
  std::array<ItemId, 3> other_items;
  std::uint8_t choice;
  Weight weight;
};

/// Groups of equal kind and first item, in increasing order: sorting many small groups is quicker
/// than sorting all answers, and a group stays in the cache.
class QuestionGroups {
 public:
  explicit QuestionGroups(const std::vector<Answer>& answers) {
    for (const Answer& answer : answers) {
      for (const ItemId item : answer.items) items_ = std::max<std::size_t>(items_, item + 1U);
    }
    start_.assign(kinds * items_ + 1, 0);
    for (const Answer& answer : answers) ++start_[group_of(question_of(answer).question) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    members_.resize(answers.size());
    for (const Answer& answer : answers) {
      const auto [question, choice] = question_of(answer);
      const auto& [first, second, third, fourth] = question.items;
      members_[next[group_of(question)]++] = {{second, third, fourth}, choice, answer.weight};
    }
  }

  [[nodiscard]] std::size_t size() const { return start_.size() - 1; }
  [[nodiscard]] std::span<GroupedAnswer> members(std::size_t group) {
    return std::span(members_).subspan(start_[group], start_[group + 1] - start_[group]);
  }
  [[nodiscard]] Question question(std::size_t group, const GroupedAnswer& member) const {
    const auto& [second, third, fourth] = member.other_items;
    return {static_cast<QuestionKind>(group / items_),
            {static_cast<ItemId>(group % items_), second, third, fourth}};
  }

 private:
  static constexpr std::size_t kinds = 4;

  [[nodiscard]] std::size_t group_of(const Question& question) const {
    return static_cast<std::size_t>(question.kind) * items_ + question.items[0];
  }

  std::size_t items_ = 0;
  std::vector<std::size_t> start_;
  std::vector<GroupedAnswer> members_;
};

}  // namespace

void tally_questions(const std::vector<Answer>& answers,
                     const std::function<void(const QuestionTally&)>& visit) {
  QuestionGroups groups(answers);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const std::span<GroupedAnswer> members = groups.members(group);
    std::sort(members.begin(), members.end(), [](const GroupedAnswer& a, const GroupedAnswer& b) {
      return a.other_items < b.other_items;
    });
    for (std::size_t first = 0, end = 0; first < members.size(); first = end) {
      QuestionTally tally{groups.question(group, members[first]), {}, {}, true};
      for (; end < members.size() && members[end].other_items == members[first].other_items;
           ++end) {
        const GroupedAnswer& member = members[end];
        tally.weight[member.choice] += member.weight;
        tally.count[member.choice] += 1;
        if (member.weight % weight_one != 0) tally.whole_weights = false;
      }
      visit(tally);
    }
  }
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

}  // namespace tertium
