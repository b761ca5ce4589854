#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tertium/answers/stored_answers.hpp"
#include "tertium/core/integer_triangle.hpp"

namespace tertium {

/// How a similarity came about.
enum class SimilarityKind : std::uint8_t {
  adds3,       // additive similarity from triplets, equation (AddS-3) of the paper
  adds4,       // additive similarity from quadruplets, equation (AddS-4)
  precomputed  // given by the user
};

std::string_view to_string(SimilarityKind kind);  // as in the paper: "AddS-3"
/// For programs: "adds3", "adds4", "precomputed".
std::string_view similarity_name(SimilarityKind kind);

/// A similarity S of named items, exact. Zeros are left out.
///
/// Rows are items in the order of `items`: that of the items file if there was one, else integers
/// by value and then other names.
struct SimilarityMatrix : IntegerTriangle {
  std::vector<std::string> items;

  SimilarityKind kind = SimilarityKind::adds3;
  Repeats repeats = Repeats::sum;
  std::uint64_t comparisons = 0;        // triplets or quadruplets that went in
  std::int64_t weight = 0;              // their total weight, times the denominator
  std::vector<std::uint64_t> mentions;  // per item: comparisons that show it
  std::vector<std::uint64_t> anchors;   // per item: triplets in which it is the anchor

  [[nodiscard]] std::size_t size() const { return items.size(); }

  friend bool operator==(const SimilarityMatrix&, const SimilarityMatrix&) = default;
};

}  // namespace tertium
