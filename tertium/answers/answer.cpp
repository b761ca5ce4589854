#include "tertium/answers/answer.hpp"

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"

namespace tertium {

using namespace internal;

std::string_view to_string(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::triplet:
      return "triplets";
    case QuestionKind::quadruplet:
      return "quadruplets";
    case QuestionKind::odd_one_out:
      return "odd-one-out";
    case QuestionKind::most_central:
      return "most-central";
  }
  return "";
}

}  // namespace tertium

namespace tertium::internal {

std::string sentence(QuestionKind kind, std::span<const ItemId> items, const ItemTable& names) {
  const auto name = [&](std::size_t i) { return in_quotes(names.name(items[i])); };
  switch (kind) {
    case QuestionKind::triplet:
      return fmt::format("{} is more like {} than like {}", name(0), name(1), name(2));
    case QuestionKind::quadruplet:
      return fmt::format("{} and {} are more alike than {} and {}", name(0), name(1), name(2),
                         name(3));
    case QuestionKind::odd_one_out:
      return fmt::format("of {}, {} and {}, {} is the odd one out", name(0), name(1), name(2),
                         name(2));
    case QuestionKind::most_central:
      return fmt::format("of {}, {} and {}, {} is the most central", name(0), name(1), name(2),
                         name(0));
  }
  return "";
}

}  // namespace tertium::internal
