#pragma once

#include "tertium/integer_triangle.hpp"

namespace tertium::internal {

/// True if every sum over entries of the symmetric matrix, each as often as it stands there, fits
/// in 64 bits: then nobody who adds up integers of it need check.
bool sums_fit(const IntegerTriangle& triangle);

}  // namespace tertium::internal
