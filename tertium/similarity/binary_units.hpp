#pragma once

#include <cstdint>
#include <vector>

#include "tertium/integer_triangle.hpp"

namespace tertium::internal {

/// A similarity of real numbers, rounded to whole multiples of 1/2^h: what is proved is then proved
/// about exactly these numbers. Sums over all values fit in 64 bits, and the largest value has 31
/// bits (more if it is 2^31 or more), so that maps keep it in 32. Rows and columns as in an
/// IntegerTriangle; zeros may come out. Throws InputError for values too large for 64 bits.
IntegerTriangle in_binary_units(std::vector<std::uint64_t> row_start,
                                std::vector<std::uint32_t> column,
                                const std::vector<double>& value);

}  // namespace tertium::internal
