#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "tertium/spectral/symmetric_map.hpp"

namespace tertium::internal {

/// Numbers that one instruction multiplies at best; rows are filled up with zeros to a multiple.
constexpr std::size_t full_row_unit = 8;

/// The length of a row of `items` entries in memory.
constexpr std::size_t full_row_length(std::size_t items) {
  return (items + full_row_unit - 1) / full_row_unit * full_row_unit;
}

/// The vectors of a block one after the other, each as long as a row in memory.
Eigen::MatrixXd as_long_columns(const VectorBlock& x);

/// Rows [from, to) of scale * V x, for a matrix V whose rows are all there, zeros too, and so need
/// no column indices. The order of sums depends only on the length of a row.
template <typename Value>
void multiply_full_rows(const std::vector<Value>& values, double scale, std::size_t from,
                        std::size_t to, const Eigen::MatrixXd& columns, VectorBlock& y);

}  // namespace tertium::internal
