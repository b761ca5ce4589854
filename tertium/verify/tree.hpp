#pragma once

#include <filesystem>

#include "tertium/integer_triangle.hpp"
#include "tertium/run.hpp"
#include "tertium/verify/parse.hpp"
#include "tertium/verify/partition.hpp"

namespace tertium::internal::verifying {

/// Where the file with the numbers is, and how large it may be.
struct NumbersPlace {
  std::filesystem::path folder;
  double most_bytes = 0;
};

/// The bound on the value of every partition into as many clusters that the tree of a claim of
/// version 2 proves with its numbers, all rounding added (docs/certificate.md). Throws Refusal,
/// also if the partition is said to be the only best one and the numbers do not prove that.
///
/// `largest_error` is how far f of a partition can be from the true one, as distances of points
/// were rounded; it is part of the bound.
double tree_bound(const Claim& claim, const NumbersPlace& place, const IntegerTriangle& similarity,
                  const Partition& partition, double largest_error, const Progress& progress);

}  // namespace tertium::internal::verifying
