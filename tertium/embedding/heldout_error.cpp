#include "tertium/embedding/heldout_error.hpp"

#include <algorithm>
#include <cmath>

#include "tertium/core/random.hpp"

namespace tertium::internal {

HeldoutError heldout_error(const ComparisonList& list, const Loss& loss,
                           const EmbedOptions& options, int folds, Run& run) {
  const std::uint64_t salt = run.stream("folds of an embedding").next();
  const auto fold_of = [&](std::size_t answer) {
    const std::uint64_t drawn = Random(list.question_hash(answer) ^ salt).next();
    return static_cast<int>(drawn % static_cast<std::uint64_t>(folds));
  };
  std::vector<double> errors;
  for (int fold = 0; fold < folds; ++fold) {
    run.say("holding answers out",
            {static_cast<std::uint64_t>(fold), static_cast<std::uint64_t>(folds)});
    std::vector<AnswerFactor> fitted(list.answers());
    std::vector<AnswerFactor> held_out(list.answers());
    for (std::size_t answer = 0; answer < list.answers(); ++answer) {
      (fold_of(answer) == fold ? held_out : fitted)[answer] = 1;
    }
    const auto asked = fitted_comparisons(list, held_out);
    if (asked.empty() || asked.size() == list.comparisons()) continue;  // nothing to learn or ask
    errors.push_back(comparison_error(asked, embed(list, fitted, loss, options, run).points));
  }
  HeldoutError result{options.dimensions, 0.5, 0.5};  // nothing was predicted
  if (errors.size() < 2) return result;
  const auto count = static_cast<double>(errors.size());
  result.error = 0;
  for (const double error : errors) result.error += error / count;
  double squares = 0;
  for (const double error : errors) squares += (error - result.error) * (error - result.error);
  result.standard_error = std::sqrt(squares / (count - 1) / count);
  return result;
}

int choose_dimensions(const std::vector<HeldoutError>& errors) {
  const auto best = std::min_element(
      errors.begin(), errors.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
  const auto enough = std::find_if(errors.begin(), errors.end(), [&](const HeldoutError& one) {
    return one.error <= best->error + best->standard_error;
  });
  return enough->dimensions;
}

}  // namespace tertium::internal
