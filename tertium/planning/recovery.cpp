#include "tertium/planning/recovery.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "tertium/agreement.hpp"
#include "tertium/partition/cluster_sums.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/similarity/accumulator.hpp"

namespace tertium::internal {
namespace {

constexpr std::uint64_t answers_at_once = 1U << 12U;

Labeling named(const std::vector<std::int32_t>& labels) {
  Labeling result;
  for (std::size_t item = 0; item < labels.size(); ++item) {
    result.items.push_back(std::to_string(item));
    result.labels.push_back(std::to_string(labels[item]));
  }
  return result;
}

}  // namespace

SimilarityMatrix similarity_of(const SimulatedAnswers& answers, std::uint64_t count, Run& run) {
  Accumulator sums;
  for (std::uint64_t item = 0; item < answers.items(); ++item) sums.items.add(std::to_string(item));
  const QuestionKind kind = answers.survey().kind;
  std::vector<ItemId> items(answers_at_once * items_in(kind));
  for (std::uint64_t first = 0; first < count; first += answers_at_once) {
    const std::uint64_t here = std::min(answers_at_once, count - first);
    answers.fill(first, here, items.data());
    sums.add_plain({kind, {items.data(), here * items_in(kind)}});
  }
  return sums.snapshot(answers.items(), run);
}

double recovery_index(const SimulatedAnswers& answers, std::uint64_t count, Run& run) {
  const SparseMap similarity(similarity_of(answers, count, run));
  const int clusters = count_clusters(answers.labels());
  const FoundPartition found = search_partition(similarity, clusters, {}, run);
  return compare_labelings(named(found.labels), named(answers.labels())).adjusted_rand;
}

std::uint64_t seed_of_run(std::uint64_t seed, int run) {
  return random_at(random_at(0, seed), static_cast<std::uint64_t>(run)) >> 1U;
}

std::vector<double> recovery_indices(const RecoveryStudy& study, std::uint64_t answers,
                                     const std::function<void()>& on_run, Run& run) {
  Survey survey = study.survey;
  survey.answers = answers;
  const SimulatedAnswers any(study.model, survey);
  std::vector<double> indices(static_cast<std::size_t>(study.runs));
  std::atomic<int> next = 0;
  run.workers(std::min(run.threads(), study.runs), [&](int) {
    for (int number = next++; number < study.runs; number = next++) {
      const SimulatedAnswers simulated = any.with_seed(seed_of_run(survey.seed, number));
      indices[static_cast<std::size_t>(number)] = recovery_index(simulated, answers, run);
      if (on_run) on_run();
    }
  });
  return indices;
}

}  // namespace tertium::internal
