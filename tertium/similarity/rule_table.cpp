#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/similarity.hpp"
#include "tertium/similarity/additive.hpp"
#include "tertium/similarity/mulk3.hpp"
#include "tertium/similarity/mulk3b.hpp"
#include "tertium/similarity/mulk4.hpp"
#include "tertium/similarity/similarity_rule.hpp"
#include "tertium/similarity/sound_input.hpp"

namespace tertium::internal {

std::span<const SimilarityRule> similarity_rules() {
  static constexpr std::array table = {adds3, adds4, mulk3, mulk3b, mulk4};
  return table;
}

std::string rule_names() {
  std::string names;
  for (const SimilarityRule& rule : similarity_rules()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", rule.name);
  }
  return names;
}

const SimilarityRule& find_rule(std::string_view name) {
  for (const SimilarityRule& rule : similarity_rules()) {
    if (rule.name == name) return rule;
  }
  throw InputError(
      {{}, fmt::format("--similarity {}", in_quotes(name)), "auto, " + rule_names(), ""});
}

const SimilarityRule& default_rule(bool quadruplets) {
  return find_rule(quadruplets ? adds4.name : adds3.name);
}

bool is_additive(std::string_view name) {
  const auto rules = similarity_rules();
  return std::any_of(rules.begin(), rules.end(), [&](const SimilarityRule& rule) {
    return rule.name == name && rule.additive;
  });
}

void check_questions(const SimilarityRule& rule, bool quadruplets) {
  const auto takes = [&](const SimilarityRule& one) {
    return quadruplets ? one.takes_quadruplets : one.takes_triplets;
  };
  if (takes(rule)) return;
  std::string fitting;
  for (const SimilarityRule& other : similarity_rules()) {
    if (takes(other)) fitting += fmt::format("{}{}", fitting.empty() ? "" : ", ", other.name);
  }
  const std::string_view asked = quadruplets ? "quadruplets" : "triplets";
  throw InputError({{},
                    fmt::format("--similarity {} for {}", rule.name, asked),
                    fmt::format("a rule for {}: {}", asked, fitting),
                    "Leave out --similarity"});
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::vector<std::string> similarity_names() {
  std::vector<std::string> names;
  for (const SimilarityRule& rule : similarity_rules()) names.emplace_back(rule.name);
  return names;
}

std::string similarity_title(std::string_view rule) {
  for (const SimilarityRule& known : similarity_rules()) {
    if (known.name == rule) return std::string(known.title);
  }
  return std::string(rule);
}

void validate(const SimilarityMatrix& similarity) {
  const auto refuse = [](const std::string& found, const std::string& expected) {
    throw InputError({{"the similarity"}, found, expected, ""});
  };
  const std::size_t items = similarity.items.size();
  const auto& start = similarity.row_start;
  if (start.size() != items + 1 || start.front() != 0 || start.back() != similarity.column.size() ||
      similarity.column.size() != similarity.value.size()) {
    refuse(fmt::format("{} items with {} rows, {} columns and {} values", items,
                       start.empty() ? 0 : start.size() - 1, similarity.column.size(),
                       similarity.value.size()),
           "a row for each item, a value for each column");
  }
  for (std::size_t row = 0; row < items; ++row) {
    if (start[row] > start[row + 1] || start[row + 1] > start.back()) {
      refuse(fmt::format("a start of row {} after its end", row), "rows one after the other");
    }
    for (std::uint64_t at = start[row]; at < start[row + 1]; ++at) {
      const bool increases = at == start[row] || similarity.column[at - 1] < similarity.column[at];
      if (similarity.column[at] < row && increases) continue;
      refuse(fmt::format("column {} in row {}", similarity.column[at], row),
             "columns below the row, increasing");
    }
  }
  if (similarity.denominator < 1) {
    refuse(fmt::format("the denominator {}", similarity.denominator), "at least 1");
  }
  check_names(similarity.items, "the similarity");
  check_sums(similarity, "the similarity");
  if (!similarity.is_given()) find_rule(similarity.rule);
}

}  // namespace tertium
