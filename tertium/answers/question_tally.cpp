#include "tertium/answers/question_tally.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace tertium::internal {
namespace {

/// An answer to one of the questions with the same kind and first item.
struct GroupedAnswer {
  std::array<ItemId, 3> other_items;
  std::uint8_t choice;
  Weight weight;
};

/// Groups of equal kind and first item, in increasing order: sorting many small groups is quicker
/// than sorting all answers, and a group stays in the cache.
template <class Answers>
class QuestionGroups {
 public:
  explicit QuestionGroups(const Answers& answers) : answers_(answers) {
    for (std::size_t t = 0; t < answers.size(); ++t) {
      for (const ItemId item : answers[t].items) items_ = std::max<std::size_t>(items_, item + 1U);
    }
    start_.assign(kinds * items_ + 1, 0);
    for (std::size_t t = 0; t < answers.size(); ++t) ++start_[group_of(t) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    members_.resize(answers.size());
    for (std::size_t t = 0; t < answers.size(); ++t) {
      members_[next[group_of(t)]++] = static_cast<std::uint32_t>(t);
    }
  }

  [[nodiscard]] std::size_t size() const { return start_.size() - 1; }

  /// The answers of a group, those to the same question one behind the other.
  void collect(std::size_t group, std::vector<GroupedAnswer>& found) const {
    found.clear();
    for (std::size_t at = start_[group]; at < start_[group + 1]; ++at) {
      const auto [question, choice] = question_of(answers_[members_[at]]);
      const auto& [first, second, third, fourth] = question.items;
      found.push_back({{second, third, fourth}, choice, answers_[members_[at]].weight});
    }
    std::sort(found.begin(), found.end(), [](const GroupedAnswer& a, const GroupedAnswer& b) {
      return a.other_items < b.other_items;
    });
  }

  [[nodiscard]] Question question(std::size_t group, const GroupedAnswer& member) const {
    const auto& [second, third, fourth] = member.other_items;
    return {static_cast<QuestionKind>(group / items_),
            {static_cast<ItemId>(group % items_), second, third, fourth}};
  }

 private:
  static constexpr std::size_t kinds = 4;

  [[nodiscard]] std::size_t group_of(std::size_t answer) const {
    const Answer given = answers_[answer];
    // The anchor of a triplet comes first in any case.
    const ItemId first =
        given.kind == QuestionKind::triplet ? given.items[0] : question_of(given).question.items[0];
    return static_cast<std::size_t>(given.kind) * items_ + first;
  }

  const Answers& answers_;
  std::size_t items_ = 0;
  std::vector<std::size_t> start_;
  std::vector<std::uint32_t> members_;  // numbers of answers
};

template <class Answers>
void tally(const Answers& answers, const std::function<void(const QuestionTally&)>& visit) {
  const QuestionGroups<Answers> groups(answers);
  std::vector<GroupedAnswer> members;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    groups.collect(group, members);
    for (std::size_t first = 0, end = 0; first < members.size(); first = end) {
      QuestionTally found{groups.question(group, members[first]), {}, {}, true};
      for (; end < members.size() && members[end].other_items == members[first].other_items;
           ++end) {
        const GroupedAnswer& member = members[end];
        found.weight[member.choice] += member.weight;
        found.count[member.choice] += 1;
        if (member.weight % weight_one != 0) found.whole_weights = false;
      }
      visit(found);
    }
  }
}

}  // namespace

void tally_questions(const std::vector<Answer>& answers,
                     const std::function<void(const QuestionTally&)>& visit) {
  tally(answers, visit);
}

void tally_questions(const AnswerColumns& answers,
                     const std::function<void(const QuestionTally&)>& visit) {
  tally(answers, visit);
}

}  // namespace tertium::internal
