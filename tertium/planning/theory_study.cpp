#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/certificate/certify.hpp"
#include "tertium/error.hpp"
#include "tertium/methods/certified_search.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/plan.hpp"
#include "tertium/planning/noise_estimates.hpp"
#include "tertium/planning/theory.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/similarity/load.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {
namespace {

[[noreturn]] void refuse(const std::string& found, const std::string& expected) {
  throw InputError({{}, found, expected, ""});
}

/// Clusters numbered by size.
Labels numbered(const std::vector<std::string>& names) {
  std::unordered_map<std::string, std::int32_t> numbers;
  Labels labels;
  for (const std::string& name : names) {
    labels.push_back(
        numbers.emplace(name, static_cast<std::int32_t>(numbers.size())).first->second);
  }
  return in_order_of_size(labels);
}

Blocks as_blocks(const Eigen::MatrixXd& matrix) {
  Blocks blocks;
  for (const auto& row : matrix.rowwise()) blocks.emplace_back(row.begin(), row.end());
  return blocks;
}

/// The expected similarity is known for triplets and quadruplets.
bool has_expectation(const LoadedSimilarity& loaded) {
  if (!is_additive(loaded.similarity.rule)) return false;
  if (!loaded.answers) return true;
  const AnswerColumns& given = loaded.answers->list.given;
  return given.of_one_kind() && comparisons_in(given.kind_of(0)) == 1;
}

/// Expectations need epsilon and delta: those given, else those estimated.
void add_expectations(TheoryStudy& study, const TheoryOptions& options, const SparseMap& map,
                      const Labels& labels, Run& run) {
  double product = 0;
  if (options.epsilon) {
    study.used_epsilon = *options.epsilon;
    study.used_delta = *options.delta;
    product = *options.epsilon * *options.delta;
  } else if (study.epsilon_delta && study.epsilon_delta->value > 0) {
    product = std::min(1.0, study.epsilon_delta->value);
    // Without repeated questions only the product is known; the theorem's number of answers
    // depends on nothing else.
    study.used_epsilon =
        study.epsilon ? std::clamp(study.epsilon->value, product, 1.0) : std::sqrt(product);
    study.used_delta = product / study.used_epsilon;
  } else {
    return;
  }
  const double rate = sampling_rate(study.quadruplets, study.comparisons, study.items);
  const Eigen::MatrixXd expected =
      expected_similarity(study.quadruplets, study.sizes, rate, product);
  study.expected = as_blocks(expected);
  study.at_expected = proposition_interval(map, labels, expected, run);
  study.theorem =
      theorem_conditions(study.items, study.sizes.back(), static_cast<double>(study.comparisons),
                         study.used_epsilon, study.used_delta);
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

void validate(const TheoryOptions& options) {
  for (const auto& [flag, value] :
       {std::pair{"--epsilon", options.epsilon}, {"--delta", options.delta}}) {
    if (value && !(*value > 0 && *value <= 1)) {
      refuse(fmt::format("{} {}", flag, *value), "a number above 0 and at most 1");
    }
  }
  if (options.epsilon.has_value() != options.delta.has_value()) {
    refuse(options.epsilon ? "--epsilon without --delta" : "--delta without --epsilon", "both");
  }
}

TheoryStudy study_theory(const LoadedSimilarity& loaded, const TheoryOptions& options, Run& run) {
  validate(options);
  const SimilarityMatrix& similarity = loaded.similarity;
  Problem problem(similarity, certified_search, {}, run);
  TheoryStudy study;
  Labels labels;
  run.say("proving the partition");
  if (options.clusters) {
    if (*options.clusters < 1 || *options.clusters > problem.items()) {
      refuse(fmt::format("--clusters {}", *options.clusters),
             fmt::format("1 to {}, the number of items", problem.items()));
    }
    labels = problem.partition(*options.clusters).labels;
    study.certificate = problem.certificate(*options.clusters);
    study.fitted = true;
  } else {
    labels = numbered(options.labels.value());
    study.certificate = certify(problem.map(), labels, {}, run);
  }
  study.items = similarity.size();
  study.similarity = similarity.rule;
  study.quadruplets = similarity.quadruplets;
  study.comparisons = similarity.comparisons;
  study.sizes.assign(static_cast<std::size_t>(count_clusters(labels)), 0);
  for (const std::int32_t label : labels) ++study.sizes[static_cast<std::size_t>(label)];
  const Eigen::MatrixXd means = block_means(problem.map(), labels, run);
  study.means = as_blocks(means);
  study.proposition = proposition_interval(problem.map(), labels, means, run);
  if (loaded.answers) {
    study.epsilon = estimate_epsilon(loaded.answers->list.given);
    study.epsilon_delta = estimate_epsilon_delta(loaded.answers->list.given, labels);
  }
  if (has_expectation(loaded)) {
    add_expectations(study, options, problem.map(), labels, run);
  } else if (options.epsilon) {
    refuse("--epsilon and --delta with other answers than triplets or quadruplets",
           "triplets or quadruplets: the expected similarity is known for them");
  }
  return study;
}

}  // namespace tertium
