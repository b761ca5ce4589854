#pragma once

#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {

/// The multiplicative triplet kernel (MulK-3 of the paper, k1 of Kleindessner and von Luxburg
/// 2017): i and j are alike if, as anchors, they find r nearer than s for the same pairs {r, s}.
///
///   S_ij = sum over r < s of T_i(r,s) T_j(r,s) / sqrt(|T_i| |T_j|)
///
/// where T_i(r,s) = w(i,r,s) - w(i,s,r), w(i,r,s) is the weight of the triplets "i is nearer to r
/// than to s", and |T_i| the sum of w^2 over triplets with anchor i: their number in a set of
/// triplets, as the paper has it. In binary units. Cost: for every pair {r, s} the square of the
/// number of its anchors.
IntegerTriangle build_mulk3(const ComparisonList& list, std::span<const AnswerFactor> factor,
                            Run& run);

inline constexpr SimilarityRule mulk3 = {
    .name = "mulk3",
    .title = "MulK-3",
    .description = "items as anchors agree about pairs of others: kernel k1, from triplets",
    .takes_triplets = true,
    .takes_quadruplets = false,
    .additive = false,
    .build = build_mulk3,
};

}  // namespace tertium::internal
