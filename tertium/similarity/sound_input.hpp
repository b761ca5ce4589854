#pragma once

#include <string>
#include <vector>

#include "tertium/integer_triangle.hpp"

namespace tertium::internal {

/// Throws InputError, in the name of `file`, unless every name is valid UTF-8, not empty, and there
/// once: names are what answers, matrices and proofs are matched by.
void check_names(const std::vector<std::string>& names, const std::string& file);

/// Throws InputError unless all sums over the matrix fit in 64 bits.
void check_sums(const IntegerTriangle& triangle, const std::string& file);

}  // namespace tertium::internal
