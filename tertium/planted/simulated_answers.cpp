#include "tertium/planted/simulated_answers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "tertium/core/memory.hpp"
#include "tertium/core/random.hpp"

namespace tertium::internal {
namespace {

/// Clusters of the given sizes, items shuffled.
std::vector<std::int32_t> shuffled_labels(const std::vector<std::uint64_t>& sizes,
                                          std::uint64_t seed) {
  const std::uint64_t items = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  check_memory(sizeof(std::int32_t) * static_cast<double>(items), "the clusters of the items",
               "Simulate fewer items");
  std::vector<std::int32_t> labels;
  labels.reserve(items);
  for (std::size_t cluster = 0; cluster < sizes.size(); ++cluster) {
    labels.insert(labels.end(), sizes[cluster], static_cast<std::int32_t>(cluster));
  }
  Random random(key_for(seed, RandomUse::clusters));
  for (std::size_t i = labels.size(); i > 1; --i) std::swap(labels[i - 1], labels[random.below(i)]);
  return labels;
}

/// With probability 1 - epsilon an answer is a guess, and all guesses but one are wrong.
std::uint64_t wrong_below(double epsilon, double options) {
  return static_cast<std::uint64_t>((1 - epsilon) * (options - 1) / options * 0x1p64);
}

/// Which of three items is not in the pair that is most alike (odd), or least alike (central).
template <bool Odd, typename Pairs>
std::size_t item_apart(const Pairs& pairs, const std::array<ItemId, 4>& x) {
  // The pair without item c has number c.
  constexpr std::array<std::array<std::size_t, 2>, 3> without = {{{1, 2}, {0, 2}, {0, 1}}};
  const auto beats = [&](std::size_t a, std::size_t b) {
    return Odd ==
           pairs.more_alike(x[without[a][0]], x[without[a][1]], x[without[b][0]], x[without[b][1]]);
  };
  const std::size_t best = beats(0, 1) ? 0 : 1;
  return beats(best, 2) ? best : 2;
}

}  // namespace

SimulatedAnswers::SimulatedAnswers(const Survey& survey, std::uint64_t items)
    : survey_(survey),
      items_(checked_items(survey, items)),
      questions_(survey.kind, items_, survey.sampling, survey.seed) {
  const bool three_options =
      survey.kind == QuestionKind::odd_one_out || survey.kind == QuestionKind::most_central;
  for (const double epsilon : survey.epsilon) {
    wrong_below_.push_back(wrong_below(epsilon, three_options ? 3 : 2));
  }
}

SimulatedAnswers::SimulatedAnswers(const PlantedModel& model, const Survey& survey)
    : SimulatedAnswers(survey, count_items(model)) {
  distributions_ = latent_distributions(model.family, model.delta, model.as_printed);
  contest_ = std::make_shared<const InsideAgainstOutside>(distributions_);
  sizes_ = model.sizes;
  labels_ = shuffled_labels(sizes_, survey.seed);
}

SimulatedAnswers SimulatedAnswers::with_seed(std::uint64_t seed) const {
  SimulatedAnswers other = *this;
  other.survey_.seed = seed;
  other.questions_ = QuestionSampler(survey_.kind, items_, survey_.sampling, seed);
  other.labels_ = shuffled_labels(sizes_, seed);
  return other;
}

SimulatedAnswers::SimulatedAnswers(Points points, const Survey& survey)
    : SimulatedAnswers(survey, points.count) {
  points_ = std::move(points);
}

void SimulatedAnswers::fill(std::uint64_t first, std::uint64_t count, ItemId* items) const {
  const std::uint64_t key = key_for(survey_.seed, RandomUse::similarities);
  if (contest_) {
    fill_from(PlantedPairs(labels_, *contest_, key), first, count, items);
  } else {
    fill_from(PointPairs(points_, key), first, count, items);
  }
}

template <typename Pairs>
void SimulatedAnswers::fill_from(const Pairs& pairs, std::uint64_t first, std::uint64_t count,
                                 ItemId* items) const {
  switch (survey_.kind) {
    case QuestionKind::triplet:
      return fill_kind<QuestionKind::triplet>(pairs, first, count, items);
    case QuestionKind::quadruplet:
      return fill_kind<QuestionKind::quadruplet>(pairs, first, count, items);
    case QuestionKind::odd_one_out:
      return fill_kind<QuestionKind::odd_one_out>(pairs, first, count, items);
    case QuestionKind::most_central:
      return fill_kind<QuestionKind::most_central>(pairs, first, count, items);
  }
}

template <QuestionKind Kind, typename Pairs>
void SimulatedAnswers::fill_kind(const Pairs& pairs, std::uint64_t first, std::uint64_t count,
                                 ItemId* items) const {
  const std::uint64_t noise_key = key_for(survey_.seed, RandomUse::noise);
  QuestionSampler::Block questions;
  while (count > 0) {
    const std::size_t here = std::min<std::uint64_t>(count, QuestionSampler::block);
    questions_.fill(first, here, questions);
    for (std::size_t i = 0; i < here; ++i, items += items_in(Kind)) {
      const std::array<ItemId, 4>& x = questions[i];
      const std::uint64_t random = random_at(noise_key, first + i);
      const bool wrong =
          random < wrong_below_[wrong_below_.size() == 1 ? 0 : (first + i) % wrong_below_.size()];
      if constexpr (Kind == QuestionKind::triplet) {
        const std::size_t swap = pairs.more_alike(x[0], x[1], x[0], x[2]) == wrong ? 1 : 0;
        items[0] = x[0];
        items[1] = x[1 + swap];
        items[2] = x[2 - swap];
      } else if constexpr (Kind == QuestionKind::quadruplet) {
        const std::size_t swap = pairs.more_alike(x[0], x[1], x[2], x[3]) == wrong ? 2 : 0;
        for (std::size_t column = 0; column < 4; ++column) items[column] = x[column ^ swap];
      } else {
        constexpr bool odd = Kind == QuestionKind::odd_one_out;
        std::size_t apart = item_apart<odd>(pairs, x);
        // A wrong answer is one of the two others; a low bit says which, the high ones were used.
        if (wrong) apart = (apart + 1 + random % 2) % 3;
        std::copy_n(x.begin(), 3, items);
        std::swap(items[apart], items[odd ? 2 : 0]);
      }
    }
    first += here;
    count -= here;
  }
}

}  // namespace tertium::internal
