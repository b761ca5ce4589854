#include "tertium/answers/question.hpp"

#include <algorithm>
#include <utility>

namespace tertium::internal {

AnsweredQuestion question_of(const Answer& answer) {
  AnsweredQuestion result;
  result.question.kind = answer.kind;
  std::array<ItemId, 4> items = answer.items;
  switch (answer.kind) {
    case QuestionKind::triplet:
      // No branch: the processor could only guess.
      result.choice = static_cast<std::uint8_t>(items[1] > items[2]);
      items = {items[0], std::min(items[1], items[2]), std::max(items[1], items[2]), 0};
      break;
    case QuestionKind::quadruplet:
      if (items[0] > items[1]) std::swap(items[0], items[1]);
      if (items[2] > items[3]) std::swap(items[2], items[3]);
      if (std::pair(items[0], items[1]) > std::pair(items[2], items[3])) {
        std::swap(items[0], items[2]);
        std::swap(items[1], items[3]);
        result.choice = 1;
      }
      break;
    case QuestionKind::odd_one_out:
    case QuestionKind::most_central: {
      const ItemId picked = answer.kind == QuestionKind::odd_one_out ? items[2] : items[0];
      std::sort(items.begin(), items.begin() + 3);
      items[3] = 0;
      result.choice = static_cast<std::uint8_t>(
          std::find(items.begin(), items.begin() + 3, picked) - items.begin());
      break;
    }
  }
  result.question.items = items;
  return result;
}

std::array<ItemId, 4> items_of(const Question& question, std::uint8_t choice) {
  std::array<ItemId, 4> items = question.items;
  switch (question.kind) {
    case QuestionKind::triplet:
      if (choice == 1) std::swap(items[1], items[2]);
      break;
    case QuestionKind::quadruplet:
      if (choice == 1) std::rotate(items.begin(), items.begin() + 2, items.end());
      break;
    case QuestionKind::odd_one_out:
      std::swap(items[choice], items[2]);
      break;
    case QuestionKind::most_central:
      std::swap(items[choice], items[0]);
      break;
  }
  return items;
}

}  // namespace tertium::internal
