#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tertium/comparisons/answer_sink.hpp"
#include "tertium/similarity/pair_sums.hpp"
#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

/// Adds up answers into the additive similarity of the paper (section 4), one pass, answers not
/// kept:
///
///   triplet (a, b, c):          S_ab += w,  S_ac -= w          (AddS-3)
///   quadruplet (i, j, r, s):    S_ij += w,  S_rs -= w          (AddS-4)
///
/// Sums are exact integers, so one by one, in chunks or in parallel give the identical matrix.
class Accumulator : public AnswerSink {
 public:
  /// Throws InputError if triplets and quadruplets are mixed or the total weight is beyond 4e12.
  void add(const Answer& answer) override;
  void add_plain(const PlainAnswers& answers) override;
  [[nodiscard]] bool takes_plain() const override { return true; }

  /// Adds everything that `other` has; items are matched by name.
  void merge(Accumulator& other);

  /// Adds a similarity that was made before. Throws InputError if it does not add up with this one:
  /// of another kind, given by the user, or made with repeats other than `sum`.
  void merge(const SimilarityMatrix& similarity, const std::string& file);

  /// The similarity so far. `listed` keeps the first so many items in front, in their order (those
  /// of an items file); the others are sorted by name.
  [[nodiscard]] SimilarityMatrix snapshot(std::size_t listed = 0);

  /// The same, giving back the memory of the sums on the way; the accumulator is empty afterwards.
  [[nodiscard]] SimilarityMatrix take(std::size_t listed = 0);

  /// Pairs held outside the fixed square table: a measure of memory.
  [[nodiscard]] std::size_t pairs_held() const { return sums_.bucket_entries(); }

  /// Forgets all sums and counts but keeps the items.
  void clear();

 private:
  void set_kind(SimilarityKind kind);
  void grow();
  void add_weight(Weight weight, std::uint64_t comparisons);
  SimilarityMatrix make_matrix(std::size_t listed, bool release);

  std::optional<SimilarityKind> kind_;
  PairSums sums_;
  std::vector<std::uint64_t> mentions_;
  std::vector<std::uint64_t> anchors_;
  std::uint64_t comparisons_ = 0;
  Weight weight_ = 0;
  bool fractions_ = false;  // some weight is not a whole number
};

}  // namespace tertium
