#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// How answers become a similarity: a file and a row in rule_table.cpp.
struct SimilarityRule {
  std::string_view name;         // as `--similarity` has it: "adds3"
  std::string_view title;        // as in the paper: "AddS-3"
  std::string_view description;  // one line for people
  bool takes_triplets = true;    // and what gives triplets
  bool takes_quadruplets = false;
  /// Every answer adds numbers to pairs of items, the sums of a ComparisonList: S can be added up
  /// while answers are read, snapshots of it add up, and answers can be weighted anew for folds and
  /// resamples at the price of one pass.
  bool additive = false;
  /// S of the comparisons in the list when answer t counts `factor[t]` times its weight; an empty
  /// `factor` counts every answer once. Rows are those of the list; zeros may be stored.
  IntegerTriangle (*build)(const ComparisonList& list, std::span<const AnswerFactor> factor,
                           Run& run) = nullptr;
};

/// All rules.
std::span<const SimilarityRule> similarity_rules();

/// The rule of that name. Throws InputError that lists the names.
const SimilarityRule& find_rule(std::string_view name);

/// The rule that is used unless another is named.
const SimilarityRule& default_rule(bool quadruplets);

/// True for a name in the table whose rule is additive.
bool is_additive(std::string_view name);

/// Throws InputError if the rule does not take what was asked.
void check_questions(const SimilarityRule& rule, bool quadruplets);

}  // namespace tertium::internal
