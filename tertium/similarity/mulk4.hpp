#pragma once

#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {

/// The multiplicative quadruplet kernel (MulK-4 of the paper; Ghoshdastidar, Perrot, von Luxburg
/// 2019): i and j are alike if their similarities to third items l compare in the same way with the
/// same pairs {r, s}.
///
///   S_ij = sum over l, r < s of Q_il(r,s) Q_jl(r,s),   Q_il(r,s) = w(il > rs) - w(rs > il)
///
/// where w(il > rs) is the weight of the answers that i and l are more alike than r and s. A
/// triplet (a, b, c) says that of the pairs ab and ac. Exact, in units of weights squared, as long
/// as 64 bits hold the sums; else in binary units. Cost: for every l and pair {r, s} the square of
/// the number of pairs with l that are compared with {r, s}.
IntegerTriangle build_mulk4(const ComparisonList& list, std::span<const AnswerFactor> factor,
                            Run& run);

inline constexpr SimilarityRule mulk4 = {
    .name = "mulk4",
    .title = "MulK-4",
    .description = "items whose pairs with third ones compare alike with other pairs",
    .takes_triplets = true,
    .takes_quadruplets = true,
    .additive = false,
    .build = build_mulk4,
};

}  // namespace tertium::internal
