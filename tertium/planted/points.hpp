#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

/// How alike two points are. Comparisons see only which of two similarities is larger.
enum class PointSimilarity : std::uint8_t {
  gaussian,  // exp(-|x - y|^2 / gamma^2), the same comparisons for every gamma
  cosine     // <x, y> / (|x| |y|)
};

std::optional<PointSimilarity> parse_point_similarity(std::string_view text);

/// Items with coordinates.
struct Points {
  std::uint64_t count = 0;
  std::size_t dimensions = 0;
  std::vector<double> coordinates;  // a row of `dimensions` numbers for each point
  PointSimilarity similarity = PointSimilarity::gaussian;

  /// Larger for more similar points: minus the squared distance, or the inner product.
  [[nodiscard]] double likeness(std::uint64_t i, std::uint64_t j) const;
};

/// Reads a table of numbers, a row for each point (delimited text with or without a header, or
/// .npy). For the cosine similarity rows are scaled to length 1. Throws InputError, also for rows
/// of different length, numbers that are not finite and, for cosine, points at the origin.
Points read_points(const std::string& path, PointSimilarity similarity);

}  // namespace tertium
