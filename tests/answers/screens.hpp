#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "tertium/answers/answer.hpp"

namespace tertium::internal {

/// Which details of random answers are told apart.
struct Variety {
  bool kinds = false;
  bool weights = false;
  bool participants = false;
  bool screens = false;  // some have several answers
};

/// Every variety of details.
inline std::vector<Variety> all_varieties() {
  std::vector<Variety> all;
  for (unsigned bits = 0; bits < 16; ++bits) {
    all.push_back({(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0});
  }
  return all;
}

using Screens = std::vector<std::vector<Answer>>;

/// Screens with random answers about `items` items, numbered from 0. What varies does so only from
/// the middle on, so that columns are needed late.
inline Screens random_screens(const Variety& variety, ItemId items, std::size_t count,
                              unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  Screens screens(count);
  for (std::uint32_t s = 0; s < count; ++s) {
    const bool late = s >= count / 2;
    screens[s].resize(variety.screens && late ? 1 + below(3) : 1);
    for (Answer& answer : screens[s]) {
      const ItemId first = below(items);
      answer.items = {first, (first + 1) % items, (first + 2 + below(items - 2)) % items, 0};
      answer.screen = s;
      if (variety.kinds && late && below(2) == 0) answer.kind = QuestionKind::odd_one_out;
      if (variety.weights && late) answer.weight = weight_one * (1 + below(3));
      if (variety.participants && late) answer.participant = below(4);
    }
  }
  return screens;
}

inline std::vector<Answer> all_answers(const Screens& screens) {
  std::vector<Answer> answers;
  for (const auto& screen : screens) answers.insert(answers.end(), screen.begin(), screen.end());
  return answers;
}

/// Screens by the order in which they first occur: equal if the same answers share a screen.
template <class ScreenOf>
std::vector<std::size_t> shared_screens(std::size_t answers, const ScreenOf& screen_of) {
  std::map<std::uint32_t, std::size_t> seen;
  std::vector<std::size_t> numbers;
  for (std::size_t t = 0; t < answers; ++t) {
    numbers.push_back(seen.emplace(screen_of(t), seen.size()).first->second);
  }
  return numbers;
}

}  // namespace tertium::internal
