#include <array>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/similarity/additive.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {

std::span<const SimilarityRule> similarity_rules() {
  static constexpr std::array table = {adds3, adds4};
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
      {{}, fmt::format("--similarity {}", in_quotes(name)), "one of " + rule_names(), ""});
}

const SimilarityRule& default_rule(bool quadruplets) {
  return find_rule(quadruplets ? adds4.name : adds3.name);
}

}  // namespace tertium::internal
