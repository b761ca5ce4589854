#include "tertium/confidence/matching.hpp"

#include <algorithm>
#include <limits>

namespace tertium::internal {

/// Shortest augmenting paths: rows enter one by one, and potentials keep all reduced costs
/// non-negative, so that a path of least cost is found as Dijkstra does. Row and column 0 are not
/// there: they stand for "none".
std::vector<int> best_assignment(const std::vector<double>& worth, int size) {
  const auto count = static_cast<std::size_t>(size) + 1;
  std::vector<double> row_potential(count, 0);
  std::vector<double> column_potential(count, 0);
  std::vector<std::size_t> row_of(count, 0);  // of a column
  for (std::size_t row = 1; row < count; ++row) {
    std::vector<double> distance(count, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(count, 0);
    std::vector<bool> reached(count, false);
    std::size_t column = 0;
    row_of[0] = row;
    while (row_of[column] != 0) {
      reached[column] = true;
      const std::size_t from = row_of[column];
      std::size_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t c = 1; c < count; ++c) {
        if (reached[c]) continue;
        const double cost =
            -worth[(from - 1) * (count - 1) + c - 1] - row_potential[from] - column_potential[c];
        if (cost < distance[c]) {
          distance[c] = cost;
          before[c] = column;
        }
        if (distance[c] < least) {
          least = distance[c];
          nearest = c;
        }
      }
      for (std::size_t c = 0; c < count; ++c) {
        if (reached[c]) {
          row_potential[row_of[c]] += least;
          column_potential[c] -= least;
        } else {
          distance[c] -= least;
        }
      }
      column = nearest;
    }
    for (; column != 0; column = before[column]) row_of[column] = row_of[before[column]];
  }
  std::vector<int> result(count - 1, 0);
  for (std::size_t c = 1; c < count; ++c) result[row_of[c] - 1] = static_cast<int>(c) - 1;
  return result;
}

Labels matched_to(const Labels& reference, const Labels& labels, int clusters) {
  const auto count = static_cast<std::size_t>(clusters);
  std::vector<double> overlap(count * count, 0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++overlap[static_cast<std::size_t>(labels[i]) * count + static_cast<std::size_t>(reference[i])];
  }
  const std::vector<int> match = best_assignment(overlap, clusters);
  Labels result(labels.size());
  std::transform(labels.begin(), labels.end(), result.begin(), [&](std::int32_t label) {
    return static_cast<std::int32_t>(match[static_cast<std::size_t>(label)]);
  });
  return result;
}

}  // namespace tertium::internal
