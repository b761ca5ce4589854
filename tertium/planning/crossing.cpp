#include "tertium/planning/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tertium::internal {

std::optional<double> crossing(const std::vector<double>& answers, std::vector<double> chance,
                               double confidence) {
  // Pools of neighbours, merged while one is below its predecessor.
  std::vector<std::pair<double, std::size_t>> pools;  // mean and size
  for (const double value : chance) {
    pools.emplace_back(value, 1);
    while (pools.size() > 1 && pools[pools.size() - 2].first > pools.back().first) {
      const auto [last, count] = pools.back();
      pools.pop_back();
      auto& [before, counted] = pools.back();
      before = (before * static_cast<double>(counted) + last * static_cast<double>(count)) /
               static_cast<double>(counted + count);
      counted += count;
    }
  }
  std::size_t at = 0;
  for (const auto& [value, count] : pools) {
    std::fill_n(chance.begin() + static_cast<std::ptrdiff_t>(at), count, value);
    at += count;
  }
  const auto reached =
      std::find_if(chance.begin(), chance.end(), [=](double value) { return value >= confidence; });
  if (reached == chance.end()) return {};
  const auto high = static_cast<std::size_t>(reached - chance.begin());
  if (high == 0) return answers[0];
  const double share = (confidence - chance[high - 1]) / (chance[high] - chance[high - 1]);
  return answers[high - 1] * std::pow(answers[high] / answers[high - 1], share);
}

}  // namespace tertium::internal
