#pragma once

#include <cstdint>
#include <string_view>

namespace tertium {

/// A number of answers as users write it: a whole number ("329617", "1e6"), a rate between 0 and 1
/// (that share of the `questions` there are, rounded), or a formula in n (items) and k (clusters)
/// with + - * / ^, parentheses, ln and sqrt ("n*ln(n)^3", rounded). Throws InputError.
std::uint64_t parse_answer_count(std::string_view text, double items, double clusters,
                                 double questions);

}  // namespace tertium
