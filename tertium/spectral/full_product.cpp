#include "tertium/spectral/full_product.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "tertium/core/every_processor.hpp"

namespace tertium::internal {
namespace {

using Numbers = double __attribute__((vector_size(full_row_unit * sizeof(double))));
using Integers = std::int32_t __attribute__((vector_size(full_row_unit * sizeof(std::int32_t))));
using LongIntegers =
    std::int64_t __attribute__((vector_size(full_row_unit * sizeof(std::int64_t))));

/// Two rows share what is read of x; four vectors share what is read of V. More of either would not
/// fit into the registers.
constexpr std::size_t rows_together = 2;
constexpr std::size_t vectors_together = 4;

/// `Rows` rows of V times `Width` vectors.
template <std::size_t Rows, std::size_t Width, typename Value>
[[gnu::always_inline]] inline void multiply_few(const Value* row, std::size_t length,
                                                const double* x, double scale, double* y,
                                                std::size_t y_stride) {
  using Values = std::conditional_t<sizeof(Value) == sizeof(std::int32_t), Integers, LongIntegers>;
  std::array<std::array<Numbers, Width>, Rows> sums{};
  for (std::size_t at = 0; at < length; at += full_row_unit) {
    std::array<Numbers, Rows> factor;
    for (std::size_t r = 0; r < Rows; ++r) {
      Values given;
      std::memcpy(&given, row + r * length + at, sizeof(given));
      factor[r] = __builtin_convertvector(given, Numbers);
    }
    for (std::size_t c = 0; c < Width; ++c) {
      Numbers numbers;
      std::memcpy(&numbers, x + c * length + at, sizeof(numbers));
      for (std::size_t r = 0; r < Rows; ++r) sums[r][c] += factor[r] * numbers;
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < Width; ++c) {
      double sum = 0;
      for (std::size_t part = 0; part < full_row_unit; ++part) sum += sums[r][c][part];
      y[r * y_stride + c] = scale * sum;
    }
  }
}

template <std::size_t Width, typename Value>
TERTIUM_FOR_EVERY_PROCESSOR void multiply_rows(const Value* values, std::size_t length,
                                               std::size_t from, std::size_t to, const double* x,
                                               double scale, double* y, std::size_t y_stride) {
  std::size_t i = from;
  for (; i + rows_together <= to; i += rows_together) {
    multiply_few<rows_together, Width>(values + i * length, length, x, scale, y + i * y_stride,
                                       y_stride);
  }
  for (; i < to; ++i) {
    multiply_few<1, Width>(values + i * length, length, x, scale, y + i * y_stride, y_stride);
  }
}

}  // namespace

Eigen::MatrixXd as_long_columns(const VectorBlock& x) {
  const auto length = full_row_length(static_cast<std::size_t>(x.rows()));
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(length), x.cols());
  columns.topRows(x.rows()) = x;
  return columns;
}

template <typename Value>
void multiply_full_rows(const std::vector<Value>& values, double scale, std::size_t from,
                        std::size_t to, const Eigen::MatrixXd& columns, VectorBlock& y) {
  const auto length = static_cast<std::size_t>(columns.rows());
  const auto width = static_cast<std::size_t>(columns.cols());
  for (std::size_t first = 0; first < width;) {
    const std::size_t here = std::min(vectors_together, width - first);
    const auto run = [&]<std::size_t Width>() {
      multiply_rows<Width>(values.data(), length, from, to, columns.data() + first * length, scale,
                           y.data() + first, width);
    };
    switch (here) {
      case vectors_together:
        run.template operator()<vectors_together>();
        break;
      case 3:
        run.template operator()<3>();
        break;
      case 2:
        run.template operator()<2>();
        break;
      default:
        run.template operator()<1>();
    }
    first += here;
  }
}

template void multiply_full_rows(const std::vector<std::int32_t>&, double, std::size_t, std::size_t,
                                 const Eigen::MatrixXd&, VectorBlock&);
template void multiply_full_rows(const std::vector<std::int64_t>&, double, std::size_t, std::size_t,
                                 const Eigen::MatrixXd&, VectorBlock&);

}  // namespace tertium::internal
