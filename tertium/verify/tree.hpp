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
double tree_bound(const Claim& claim, const NumbersPlace& place, const IntegerTriangle& similarity,
                  const Partition& partition, const Progress& progress);

}  // namespace tertium::internal::verifying
