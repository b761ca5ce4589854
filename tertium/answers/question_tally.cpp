#include "tertium/answers/question_tally.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>
#include <span>

#include "tertium/core/random.hpp"

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

/// The questions about one anchor, in a hash table: what was asked stays where it first was put.
class TripletTable {
 public:
  /// Forgets everything, and makes room for so many answers.
  void clear(std::size_t answers) {
    slots_.assign(std::bit_ceil(2 * answers), Slot{});
    repeated_.clear();
  }

  void count(ItemId near, ItemId far) {
    const std::uint64_t options = (std::uint64_t{std::min(near, far)} << 32U) | std::max(near, far);
    const std::size_t last = slots_.size() - 1;
    std::size_t at = Random(options).next() & last;
    while (slots_[at].options != options && slots_[at].options != nothing) at = (at + 1) & last;
    Slot& slot = slots_[at];
    slot.options = options;
    if (slot.count[0] + slot.count[1] == 1) repeated_.push_back(at);
    ++slot.count[near > far ? 1 : 0];
  }

  template <class Visit>
  void for_each_repeated(ItemId anchor, const Visit& visit) const {
    for (const std::size_t at : repeated_) {
      const Slot& slot = slots_[at];
      QuestionTally tally;
      tally.question = {
          QuestionKind::triplet,
          {anchor, static_cast<ItemId>(slot.options >> 32U), static_cast<ItemId>(slot.options), 0}};
      for (std::size_t choice = 0; choice < slot.count.size(); ++choice) {
        tally.count[choice] = slot.count[choice];
        tally.weight[choice] = weight_one * static_cast<Weight>(slot.count[choice]);
      }
      visit(tally);
    }
  }

 private:
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};  // both options the same: no question

  struct Slot {
    std::uint64_t options = nothing;
    std::array<std::uint32_t, 2> count{};
  };

  std::vector<Slot> slots_;
  std::vector<std::size_t> repeated_;  // asked more than once
};

ItemId first_item(const AnswerColumns& answers, std::size_t answer) {
  return answers.items_of(answer)[0];
}

/// Where the first group of one anchor begins that does not begin before `from`.
std::size_t group_after(const AnswerColumns& answers, std::size_t from) {
  if (from == 0) return 0;
  std::size_t at = std::min(from, answers.size());
  while (at < answers.size() && first_item(answers, at) == first_item(answers, at - 1)) ++at;
  return at;
}

bool are_triplets_in_order(const AnswerColumns& answers) {
  if (answers.size() == 0 || !answers.of_weight_one() || !answers.of_one_kind()) return false;
  if (answers.kind_of(0) != QuestionKind::triplet) return false;
  std::size_t in_order = 1;  // no early end: the processor need not guess
  for (std::size_t t = 1; t < answers.size(); ++t) {
    in_order += first_item(answers, t - 1) <= first_item(answers, t) ? 1U : 0U;
  }
  return in_order == answers.size();
}

}  // namespace

void tally_repeated_questions(const AnswerColumns& answers, Run& run,
                              const std::function<void(int, const QuestionTally&)>& visit) {
  if (!are_triplets_in_order(answers)) {
    return tally(answers, [&](const QuestionTally& found) { visit(0, found); });
  }
  constexpr std::size_t answers_at_once = std::size_t{1} << 16U;
  std::atomic<std::size_t> next = 0;
  run.workers(answers.size() > answers_at_once ? run.threads() : 1, [&](int worker) {
    TripletTable table;
    for (std::size_t from = next.fetch_add(answers_at_once); from < answers.size();
         from = next.fetch_add(answers_at_once)) {
      const std::size_t end = group_after(answers, from + answers_at_once);
      for (std::size_t first = group_after(answers, from), last = 0; first < end; first = last) {
        last = group_after(answers, first + 1);
        table.clear(last - first);
        for (std::size_t t = first; t < last; ++t) {
          table.count(answers.items_of(t)[1], answers.items_of(t)[2]);
        }
        table.for_each_repeated(first_item(answers, first),
                                [&](const QuestionTally& found) { visit(worker, found); });
      }
    }
  });
}

void tally_questions(const std::vector<Answer>& answers,
                     const std::function<void(const QuestionTally&)>& visit) {
  tally(answers, visit);
}

void tally_questions(const AnswerColumns& answers,
                     const std::function<void(const QuestionTally&)>& visit) {
  tally(answers, visit);
}

}  // namespace tertium::internal
