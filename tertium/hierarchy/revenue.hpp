#pragma once

#include "tertium/dendrogram.hpp"
#include "tertium/integer_triangle.hpp"

namespace tertium::internal {

/// What a tree earns from comparisons (Mandal, Perrot, Ghoshdastidar 2022): "i and j are more alike
/// than r and s" earns |r v s| - |i v j|, where |i v j| counts the leaves under the join of i and
/// j. Over all answers that is minus the sum over pairs of S_ij |i v j|, where S is the additive
/// similarity: `sums`, whose items are the leaves. Added up exactly.
double revenue(const Dendrogram& tree, const IntegerTriangle& sums);

}  // namespace tertium::internal
