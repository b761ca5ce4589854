#pragma once

#include "tertium/answers/comparison_list.hpp"
#include "tertium/partition/cluster_sums.hpp"

namespace tertium::internal {

/// What held-out answers say about clusters. Answers count with their weight.
struct HeldoutScore {
  double weight = 0;
  double sum = 0;                 // of the log-likelihoods
  double squares = 0;             // of them
  std::uint64_t predictable = 0;  // answers for which the table prefers one side
  std::uint64_t right = 0;        // of these, those that went as it says
};

/// What clusters say about answers: for every kind of comparison between clusters, how likely each
/// way round is.
///
///   triplets      for an anchor in cluster c: an option in p is chosen over one in q
///   quadruplets   a pair in clusters {p, p'} is more alike than one in {q, q'}
///
/// A probability is (a + 1) / (a + b + 2), with a the weight of the answers that chose so and b of
/// those that chose the other way: the mean under a Beta(1, 1) prior. It is 1/2 if both options are
/// of the same kind. Size: k^3, for quadruplets (k (k+1) / 2)^2.
class BlockTable {
 public:
  /// Learns from all answers but those with the numbers in `held_out`: one pass. All must outlive
  /// this.
  BlockTable(const ComparisonList& list, const std::vector<std::uint32_t>& held_out,
             const Labels& labels);

  /// The log-likelihood of the held-out answers; one of two comparisons counts their mean. Answers
  /// of one comparison that are of the same kind are all equally likely: they are counted, not
  /// looked at one by one.
  [[nodiscard]] HeldoutScore score() const;

  /// The logarithm of the probability of a comparison as it was answered.
  [[nodiscard]] double log_probability(const Comparison& comparison) const {
    return log_probability_[cell(comparison, true)];
  }
  /// That of its opposite.
  [[nodiscard]] double log_opposite(const Comparison& comparison) const {
    return log_probability_[cell(comparison, false)];
  }

 private:
  template <class AnswerAt>
  void count_triplets(std::size_t count, const AnswerAt& answer_at,
                      std::vector<std::int64_t>& sums) const;
  [[nodiscard]] std::vector<std::int64_t> count_all() const;
  void count_held_out();
  [[nodiscard]] bool of_plain_triplets() const;
  static void add(double likely, double opposite, double weight, std::uint64_t answers,
                  HeldoutScore& score);
  [[nodiscard]] std::size_t label(std::uint32_t item) const {
    return static_cast<std::size_t>(labels_[item]);
  }
  /// Number of an unordered pair of clusters.
  [[nodiscard]] std::size_t kind(std::uint32_t i, std::uint32_t j) const {
    const std::size_t high = std::max(label(i), label(j));
    return high * (high + 1) / 2 + std::min(label(i), label(j));
  }
  [[nodiscard]] std::size_t cell(const Comparison& c, bool as_answered) const {
    const std::size_t first = quadruplets_ ? kind(c.i, c.j) : label(c.j);
    const std::size_t second = quadruplets_ ? kind(c.r, c.s) : label(c.s);
    const std::size_t table = quadruplets_ ? 0 : label(c.i) * kinds_ * kinds_;
    return table + (as_answered ? first * kinds_ + second : second * kinds_ + first);
  }
  /// The cell of the same comparisons answered the other way round.
  [[nodiscard]] std::size_t opposite(std::size_t cell) const {
    const std::size_t first = cell / kinds_ % kinds_;
    const std::size_t second = cell % kinds_;
    return cell - first * kinds_ - second + second * kinds_ + first;
  }

  const ComparisonList& list_;
  const std::vector<std::uint32_t>& held_out_;
  const Labels& labels_;
  bool quadruplets_;
  std::size_t kinds_;                            // of options: clusters, or pairs of them
  std::size_t tables_;                           // one for each cluster of the anchor
  std::vector<std::int64_t> held_out_weight_;    // by cell, in units of 1 / denominator
  std::vector<std::uint64_t> held_out_answers_;  // by cell; empty if every answer weighs one
  std::vector<double> log_probability_;
};

}  // namespace tertium::internal
