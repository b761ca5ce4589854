#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tertium/planted/latent.hpp"
#include "tertium/planted/model.hpp"
#include "tertium/planted/pair_similarity.hpp"
#include "tertium/planted/questions.hpp"

namespace tertium::internal {

/// The answers to a survey, each found from its position alone: nothing but n labels (or points) is
/// stored. The first m answers are the same for every number of answers: surveys with one seed are
/// parts of each other.
class SimulatedAnswers {
 public:
  /// Throws InputError for values that are not allowed, naming the flag and the range.
  SimulatedAnswers(const PlantedModel& model, const Survey& survey);
  SimulatedAnswers(Points points, const Survey& survey);

  /// Another survey of the same kind: the same model and size, all that is random drawn anew.
  /// Cheaper than from the model. Not for points.
  [[nodiscard]] SimulatedAnswers with_seed(std::uint64_t seed) const;

  [[nodiscard]] const Survey& survey() const { return survey_; }
  [[nodiscard]] std::uint64_t items() const { return items_; }

  /// The cluster of each item, 0 .. k-1, in random order. Empty for points.
  [[nodiscard]] const std::vector<std::int32_t>& labels() const { return labels_; }

  /// F_in and F_out; those of the default model for points.
  [[nodiscard]] const LatentDistributions& distributions() const { return distributions_; }

  /// Answers [first, first + count), items_in(kind) items for each, ordered as in Answer. May be
  /// called from several threads.
  void fill(std::uint64_t first, std::uint64_t count, ItemId* items) const;

  /// Who gave an answer: 0 .. participants-1.
  [[nodiscard]] std::uint64_t participant(std::uint64_t answer) const {
    return answer % survey_.participants;
  }

 private:
  SimulatedAnswers(const Survey& survey, std::uint64_t items);
  template <typename Pairs>
  void fill_from(const Pairs& pairs, std::uint64_t first, std::uint64_t count, ItemId* items) const;
  template <QuestionKind Kind, typename Pairs>
  void fill_kind(const Pairs& pairs, std::uint64_t first, std::uint64_t count, ItemId* items) const;

  Survey survey_;
  std::uint64_t items_;
  QuestionSampler questions_;
  std::vector<std::uint64_t> sizes_;
  std::vector<std::int32_t> labels_;
  LatentDistributions distributions_;
  std::shared_ptr<const InsideAgainstOutside> contest_;  // null: points
  Points points_;
  std::vector<std::uint64_t> wrong_below_;  // an answer is wrong if its random number is below
};

}  // namespace tertium::internal
