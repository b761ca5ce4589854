#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tertium/plan.hpp"
#include "tertium/planning/interval.hpp"
#include "tertium/planted/simulated_answers.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// AddS-3 or AddS-4 of the first `count` answers of a simulation; rows are the items in order.
SimilarityMatrix similarity_of(const SimulatedAnswers& answers, std::uint64_t count, Run& run);

/// How well the planted clusters were found in one run: the adjusted Rand index, 1 for all of them.
double recovery_index(const SimulatedAnswers& answers, std::uint64_t count, Run& run);

/// Recovery indices of all runs at one number of answers; `on_run` is called after each, from any
/// thread. Run r has the same clusters,
/// similarities, questions and guesses whatever the number of answers (common random numbers): with
/// more answers only answers are added. Throws InputError as SimulatedAnswers does.
std::vector<double> recovery_indices(const RecoveryStudy& study, std::uint64_t answers,
                                     const std::function<void()>& on_run, Run& run);

/// The seed of a run.
std::uint64_t seed_of_run(std::uint64_t seed, int run);

}  // namespace tertium::internal
