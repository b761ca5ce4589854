#pragma once

#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {

/// The second kernel of Kleindessner and von Luxburg 2017 (k2): r and s are alike if, seen from the
/// same anchors i, they are nearer than the same items t.
///
///   S_rs = sum over i, t of U_r(i,t) U_s(i,t) / sqrt(|U_r| |U_s|)
///
/// where U_r(i,t) = w(i,r,t) - w(i,t,r), w(i,r,t) is the weight of the triplets "i is nearer to r
/// than to t", and |U_r| the sum of w^2 over triplets with r as an option. In binary units. Cost:
/// for every anchor i and item t the square of the number of items compared with t.
IntegerTriangle build_mulk3b(const ComparisonList& list, std::span<const AnswerFactor> factor,
                             Run& run);

inline constexpr SimilarityRule mulk3b = {
    .name = "mulk3b",
    .title = "MulK-3b",
    .description = "items as options are preferred to the same others: kernel k2, from triplets",
    .takes_triplets = true,
    .takes_quadruplets = false,
    .additive = false,
    .build = build_mulk3b,
};

}  // namespace tertium::internal
