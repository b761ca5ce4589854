#include "tertium/answers/screen.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tertium::internal {
namespace {

constexpr std::array<std::pair<std::string_view, ScreenKind>, 6> kinds = {{
    {"triplets", ScreenKind::triplets},
    {"quadruplets", ScreenKind::quadruplets},
    {"odd-one-out", ScreenKind::odd_one_out},
    {"most-central", ScreenKind::most_central},
    {"ranking", ScreenKind::ranking},
    {"grid", ScreenKind::grid},
}};

Answer with_items(Answer answer, QuestionKind kind, std::array<ItemId, 4> items) {
  answer.kind = kind;
  answer.items = items;
  return answer;
}

}  // namespace

std::vector<Answer> answers_given(const Screen& screen, const Answer& details) {
  const auto& [kind, anchor, options, picks, picks_different] = screen;
  std::vector<Answer> answers;
  const auto add_triplet = [&, anchor_ = anchor](ItemId near, ItemId far) {
    answers.push_back(with_items(details, QuestionKind::triplet, {anchor_, near, far, 0}));
  };
  switch (kind) {
    case ScreenKind::quadruplets: {
      std::array<ItemId, 4> items{};
      std::copy_n(options.begin(), 4, items.begin());
      const bool first_alike = (picks[0] == 0) != picks_different;
      if (!first_alike) std::rotate(items.begin(), items.begin() + 2, items.end());
      answers.push_back(with_items(details, QuestionKind::quadruplet, items));
      break;
    }
    case ScreenKind::odd_one_out:
    case ScreenKind::most_central: {
      const std::size_t pick = picks[0];
      const std::size_t other = pick == 0 ? 1 : 0;
      const std::size_t another = 3 - pick - other;
      answers.push_back(kind == ScreenKind::odd_one_out
                            ? with_items(details, QuestionKind::odd_one_out,
                                         {options[other], options[another], options[pick], 0})
                            : with_items(details, QuestionKind::most_central,
                                         {options[pick], options[other], options[another], 0}));
      break;
    }
    case ScreenKind::ranking:
      for (std::size_t a = 0; a < picks.size(); ++a) {
        for (std::size_t b = a + 1; b < picks.size(); ++b) {
          add_triplet(options[picks[a]], options[picks[b]]);
        }
      }
      [[fallthrough]];  // what was not ranked comes after what was
    case ScreenKind::triplets:
    case ScreenKind::grid:
      for (const std::size_t pick : picks) {
        for (std::size_t other = 0; other < options.size(); ++other) {
          if (std::find(picks.begin(), picks.end(), other) == picks.end()) {
            add_triplet(options[pick], options[other]);
          }
        }
      }
      break;
  }
  return answers;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::string_view to_string(ScreenKind kind) {
  for (const auto& [name, named] : kinds) {
    if (named == kind) return name;
  }
  return "";
}

std::optional<ScreenKind> parse_screen_kind(std::string_view text) {
  for (const auto& [name, kind] : kinds) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

}  // namespace tertium
