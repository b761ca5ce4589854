#include "tertium/planted/keyed_order.hpp"

#include <limits>

#include "tertium/core/every_processor.hpp"
#include "tertium/planted/counter_random.hpp"

namespace tertium::internal {
namespace {

/// Adds a number to each of `values` modulo `modulus`, drawn by the value in `by` beside it. Narrow
/// moduli, below 2^32, need no product of 128 bits; the tiny bias of the draw does not matter in a
/// round, which is one to one in any case.
template <bool Narrow>
TERTIUM_FOR_EVERY_PROCESSOR void shift(std::size_t count, std::uint64_t* values,
                                       const std::uint64_t* by, std::uint64_t key,
                                       std::uint64_t modulus) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = random_at(key, by[i]);
    const std::uint64_t step =
        Narrow ? ((random >> 32U) * modulus) >> 32U : scaled_below(random, modulus);
    const std::uint64_t room = modulus - step;
    values[i] = values[i] >= room ? values[i] - room : values[i] + step;
  }
}

}  // namespace

KeyedOrder::KeyedOrder(std::uint64_t rows, std::uint64_t columns, std::uint64_t key)
    : rows_(rows), columns_(columns) {
  for (std::size_t round = 0; round < rounds; ++round) keys_[round] = random_at(key, round);
}

void KeyedOrder::fill(std::uint64_t first, std::size_t count, std::uint64_t* row,
                      std::uint64_t* column) const {
  std::uint64_t next_row = first / columns_;
  std::uint64_t next_column = first % columns_;
  for (std::size_t i = 0; i < count; ++i) {
    row[i] = next_row;
    column[i] = next_column;
    if (++next_column == columns_) {
      next_column = 0;
      ++next_row;
    }
  }
  move_on(count, row, column);
}

void KeyedOrder::move_on(std::size_t count, std::uint64_t* row, std::uint64_t* column) const {
  const auto apply = [](std::uint64_t modulus, auto&&... arguments) {
    const bool narrow = modulus <= std::numeric_limits<std::uint32_t>::max();
    (narrow ? shift<true> : shift<false>)(arguments..., modulus);
  };
  for (std::size_t round = 0; round < rounds; round += 2) {
    apply(rows_, count, row, column, keys_[round]);
    apply(columns_, count, column, row, keys_[round + 1]);
  }
}

}  // namespace tertium::internal
