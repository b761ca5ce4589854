#pragma once

#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {

/// The paper's additive similarity (section 4): +1 for the pair that is more alike, -1 for the
/// other one. The accumulator adds it up while answers are read.
IntegerTriangle build_additive(const ComparisonList& list, std::span<const AnswerFactor> factor,
                               Run& run);

inline constexpr SimilarityRule adds3 = {
    .name = "adds3",
    .title = "AddS-3",
    .description = "additive similarity from triplets",
    .takes_triplets = true,
    .takes_quadruplets = false,
    .additive = true,
    .build = build_additive,
};

inline constexpr SimilarityRule adds4 = {
    .name = "adds4",
    .title = "AddS-4",
    .description = "additive similarity from quadruplets",
    .takes_triplets = false,
    .takes_quadruplets = true,
    .additive = true,
    .build = build_additive,
};

}  // namespace tertium::internal
