#include "tertium/planted/model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "tertium/core/number.hpp"
#include "tertium/core/random.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"
#include "tertium/planted/counter_random.hpp"

namespace tertium::internal {
namespace {

constexpr std::uint64_t most_participants = 1'000'000;

[[noreturn]] void refuse(const std::string& found, const std::string& expected,
                         const std::string& remedy = "") {
  throw InputError({{}, found, expected, remedy});
}

std::string_view plural(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::triplet:
      return "triplet questions";
    case QuestionKind::quadruplet:
      return "quadruplet questions";
    default:
      return "questions with three items";
  }
}

void check_epsilon(double epsilon) {
  if (!(epsilon > 0 && epsilon <= 1)) {
    refuse(fmt::format("--epsilon {}", epsilon), "a number above 0 and at most 1");
  }
}

}  // namespace

double mean_epsilon(const Survey& survey) {
  return std::accumulate(survey.epsilon.begin(), survey.epsilon.end(), 0.0) /
         static_cast<double>(survey.epsilon.size());
}

std::uint64_t checked_items(const Survey& survey, std::uint64_t items) {
  if (items < 3 || items > most_items(survey.kind)) {
    refuse(fmt::format("{} items", items),
           fmt::format("3 to {} for {}", most_items(survey.kind), plural(survey.kind)));
  }
  if (survey.participants > most_participants) {
    refuse(fmt::format("--participants {}", survey.participants),
           fmt::format("at most {}", most_participants));
  }
  if (survey.epsilon.size() != 1 && survey.epsilon.size() != survey.participants) {
    refuse(fmt::format("{} values of --epsilon for {} participants", survey.epsilon.size(),
                       survey.participants),
           "one for all, or one for each of --participants");
  }
  std::for_each(survey.epsilon.begin(), survey.epsilon.end(), check_epsilon);
  const double questions = count_questions(survey.kind, items);
  const bool enough = survey.sampling == Sampling::with_replacement ||
                      static_cast<double>(survey.answers) <= questions;
  if (survey.answers < 1 || !enough) {
    refuse(fmt::format("--answers {}", survey.answers),
           fmt::format("1 to {:.0f}: there are so many different {} about {} items", questions,
                       plural(survey.kind), items),
           enough ? "" : "Ask for fewer, or allow repeated questions with --replacement");
  }
  return items;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::vector<std::uint64_t> equal_sizes(std::uint64_t items, std::uint64_t clusters) {
  if (clusters < 1 || clusters > items) {
    refuse(fmt::format("--clusters {}", clusters),
           fmt::format("1 to {}, the number of items", items));
  }
  std::vector<std::uint64_t> sizes(clusters, items / clusters);
  for (std::size_t cluster = 0; cluster < items % clusters; ++cluster) ++sizes[cluster];
  return sizes;
}

std::vector<std::uint64_t> sizes_in_proportion(std::uint64_t items,
                                               const std::vector<double>& proportions) {
  constexpr double rounding = 1e-6;  // of proportions written with some digits
  const double sum = std::accumulate(proportions.begin(), proportions.end(), 0.0);
  const bool positive =
      std::all_of(proportions.begin(), proportions.end(), [](double part) { return part > 0; });
  if (!positive || std::abs(sum - 1) > rounding) {
    refuse(
        fmt::format("--sizes as proportions that sum to {:g}", sum),
        fmt::format("positive proportions that sum to 1, or whole numbers that sum to {}", items));
  }
  std::vector<std::uint64_t> sizes;
  double upto = 0;
  std::uint64_t given = 0;
  for (const double part : proportions) {  // rounded sums, so that they end at `items`
    upto += part;
    const auto end =
        static_cast<std::uint64_t>(std::llround(upto / sum * static_cast<double>(items)));
    if (end <= given) {
      refuse(fmt::format("--sizes with the proportion {:g}", part),
             fmt::format("at least one of the {} items in each cluster", items));
    }
    sizes.push_back(end - given);
    given = end;
  }
  return sizes;
}

std::vector<double> spread_epsilon(double mean, double spread, std::uint64_t participants,
                                   std::uint64_t seed) {
  if (!(spread >= 0 && mean - spread > 0 && mean + spread <= 1)) {
    refuse(fmt::format("--epsilon-spread {} around {}", spread, mean),
           "a number that leaves every epsilon above 0 and at most 1");
  }
  if (participants == 0) refuse("--epsilon-spread without --participants", "both");
  std::vector<double> epsilon(participants, mean);
  Random random(key_for(seed, RandomUse::participants));
  for (std::size_t p = 0; p < participants && participants > 1; ++p) {
    const double place = static_cast<double>(p) / static_cast<double>(participants - 1);
    epsilon[p] = mean + spread * (2 * place - 1);
  }
  for (std::size_t p = participants; p > 1; --p)
    std::swap(epsilon[p - 1], epsilon[random.below(p)]);
  return epsilon;
}

std::uint64_t count_items(const PlantedModel& model) {
  const auto& sizes = model.sizes;
  if (sizes.empty() || std::find(sizes.begin(), sizes.end(), 0U) != sizes.end()) {
    refuse("a cluster without items", "clusters of at least one item");
  }
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

std::vector<std::uint64_t> parse_sizes(std::string_view text, std::uint64_t items) {
  std::vector<double> parts;
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto number = parse_number(trimmed(rest.substr(0, comma)));
    if (!number || !(*number > 0 && *number <= 1e9)) {
      refuse("--sizes " + in_quotes(text),
             "positive numbers separated by commas: sizes, or proportions that sum to 1");
    }
    parts.push_back(*number);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  const bool whole = std::all_of(parts.begin(), parts.end(), [](double part) {
    return part >= 1 && part == static_cast<double>(static_cast<std::uint64_t>(part));
  });
  if (!whole) return sizes_in_proportion(items, parts);
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  if (sum != static_cast<double>(items)) {
    refuse(fmt::format("--sizes that sum to {:.0f}", sum),
           fmt::format("sizes that sum to {}, the number of items", items));
  }
  return {parts.begin(), parts.end()};
}

}  // namespace tertium
