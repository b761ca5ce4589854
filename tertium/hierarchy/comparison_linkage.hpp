#pragma once

#include <span>

#include "tertium/answers/comparison_list.hpp"
#include "tertium/dendrogram.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// ComparisonHC with average linkage, 4-AL (Ghoshdastidar, Perrot, von Luxburg 2019): merges the
/// two clusters p and q with the largest
///
///   W(p, q) = mean over pairs of clusters r, s of the mean over i in p, j in q, k in r, l in s of
///             w(ij > kl) - w(kl > ij)
///
/// until one is left, where w(ij > kl) is the weight of the answers that i and j are more alike
/// than k and l, when answer t counts `factor[t]` times its weight (empty: once). A triplet
/// (a, b, c) says that of ab and ac. What is equal but for rounding counts as equal; then the
/// clusters with the smallest items are merged. W does not fall steadily, so the distance of a
/// merge is its number.
///
/// Cost: for every merge a pass over the comparisons between different pairs of clusters, and a
/// look at all pairs of clusters. Memory: 32 bytes per comparison and 8 per
/// ordered pair of items.
Dendrogram link_by_comparisons(const ComparisonList& list, std::span<const AnswerFactor> factor,
                               Run& run);

}  // namespace tertium::internal
