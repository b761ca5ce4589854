#pragma once

#include <cstdint>
#include <vector>

#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"

namespace tertium::internal {

/// Fills a triangle from pairs, each given once: first count all of them, then allocate, then put
/// all of them, then finish, which sorts the rows that need it. Pairs may come in any order; by
/// increasing (larger, smaller) is quickest.
class TriangleBuilder {
 public:
  TriangleBuilder(IntegerTriangle& triangle, std::size_t size);

  void count(std::uint32_t i, std::uint32_t j);
  void allocate();
  void put(std::uint32_t i, std::uint32_t j, std::int64_t value);
  void finish(Run& run);

 private:
  struct RowSorter;

  IntegerTriangle& triangle_;
  std::vector<std::uint64_t> next_;
};

}  // namespace tertium::internal
