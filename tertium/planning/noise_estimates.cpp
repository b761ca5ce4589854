#include "tertium/planning/noise_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "tertium/answers/question_tally.hpp"
#include "tertium/planted/pair_similarity.hpp"

namespace tertium::internal {
namespace {

std::size_t options_of(QuestionKind kind) {
  return kind == QuestionKind::odd_one_out || kind == QuestionKind::most_central ? 3 : 2;
}

/// Wilson's interval for a share of known variance: with as many independent cases as would have
/// that variance, but not more than `most`. Where nothing varies, all that is known is that there
/// were so many `groups` of cases.
Interval interval_of(double share, double variance, double most, double groups) {
  if (variance <= 0) return wilson_interval(share, groups);
  return wilson_interval(share, std::min(share * (1 - share) / variance, most));
}

/// The sum over groups of (the sum of deviations)^2.
class GroupedSquares {
 public:
  void add(std::uint64_t group, double deviation) { sums_[group] += deviation; }
  [[nodiscard]] double total() const {
    double total = 0;
    for (const auto& [group, sum] : sums_) total += sum * sum;
    return total;
  }

 private:
  std::unordered_map<std::uint64_t, double> sums_;
};

/// An answer that compares a pair inside a cluster with a pair between clusters.
struct UnlikePairs {
  std::uint64_t inside = 0;
  std::uint64_t between = 0;
  bool inside_preferred = false;
};

std::optional<UnlikePairs> unlike_pairs(const Answer& answer, const Labels& labels) {
  const bool triplet = answer.kind == QuestionKind::triplet;
  if (!triplet && answer.kind != QuestionKind::quadruplet) return {};
  const auto& x = answer.items;
  const std::array<ItemId, 4> items =
      triplet ? std::array<ItemId, 4>{x[0], x[1], x[0], x[2]} : x;  // the preferred pair first
  for (const ItemId item : items) {
    if (labels[item] < 0) return {};
  }
  const bool first_inside = labels[items[0]] == labels[items[1]];
  const bool second_inside = labels[items[2]] == labels[items[3]];
  if (first_inside == second_inside) return {};
  const std::uint64_t first = pair_number(items[0], items[1]);
  const std::uint64_t second = pair_number(items[2], items[3]);
  return UnlikePairs{first_inside ? first : second, first_inside ? second : first, first_inside};
}

}  // namespace

std::optional<Estimate> estimate_epsilon(const AnswerColumns& answers) {
  if (answers.size() == 0) return {};
  const std::size_t options = options_of(answers.kind_of(0));
  struct Repeated {
    double agreeing;
    double pairs;
  };
  std::vector<Repeated> repeated;
  double agreeing = 0;
  double pairs = 0;
  for (std::size_t t = 0; t < answers.size(); ++t) {
    if (options_of(answers.kind_of(t)) != options) return {};
  }
  tally_questions(answers, [&](const QuestionTally& tally) {
    Repeated here{0, 0};
    double count = 0;
    for (const std::uint64_t choice : tally.count) {
      const auto given = static_cast<double>(choice);
      here.agreeing += given * (given - 1) / 2;
      count += given;
    }
    here.pairs = count * (count - 1) / 2;
    if (here.pairs == 0) return;
    repeated.push_back(here);
    agreeing += here.agreeing;
    pairs += here.pairs;
  });
  if (repeated.empty()) return {};
  const double share = agreeing / pairs;
  double squares = 0;
  for (const Repeated& question : repeated) {
    const double deviation = question.agreeing - share * question.pairs;
    squares += deviation * deviation;
  }
  const double chance = 1 / static_cast<double>(options);
  const auto epsilon = [&](double agreement) {
    return std::sqrt(std::max(0.0, (agreement - chance) / (1 - chance)));
  };
  const auto cases = static_cast<double>(repeated.size());
  const Interval interval = interval_of(share, squares / (pairs * pairs), pairs, cases);
  return Estimate{epsilon(share), {epsilon(interval.lo), epsilon(interval.hi)}, repeated.size()};
}

std::optional<Estimate> estimate_epsilon_delta(const AnswerColumns& answers, const Labels& labels) {
  std::vector<UnlikePairs> used;
  double preferred = 0;
  for (std::size_t t = 0; t < answers.size(); ++t) {
    const auto pairs = unlike_pairs(answers[t], labels);
    if (!pairs) continue;
    used.push_back(*pairs);
    preferred += pairs->inside_preferred ? 1 : 0;
  }
  if (used.empty()) return {};
  const auto count = static_cast<double>(used.size());
  const double share = preferred / count;
  GroupedSquares by_inside;
  GroupedSquares by_between;
  GroupedSquares by_both;
  for (const UnlikePairs& pairs : used) {
    const double deviation = (pairs.inside_preferred ? 1 : 0) - share;
    by_inside.add(pairs.inside, deviation);
    by_between.add(pairs.between, deviation);
    by_both.add(random_at(pairs.inside, pairs.between), deviation);
  }
  // Answers are dependent if they share a pair of either sort: two-way clusters.
  const double squares = by_inside.total() + by_between.total() - by_both.total();
  const double variance = std::max({squares, by_inside.total(), by_between.total()});
  const Interval interval = interval_of(share, variance / (count * count), count, count);
  return Estimate{2 * share - 1, {2 * interval.lo - 1, 2 * interval.hi - 1}, used.size()};
}

}  // namespace tertium::internal
