#pragma once

#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity/feature_table.hpp"

namespace tertium::internal {

/// S_ij = <Phi_i, Phi_j> / sqrt(evidence_i evidence_j), between -1 and 1, from exact products, in
/// binary units.
IntegerTriangle normalised_products(const FeatureTable& table, Run& run);

}  // namespace tertium::internal
