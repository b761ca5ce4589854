#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tertium/answers.hpp"
#include "tertium/similarity.hpp"
#include "tertium/similarity/bucket_sums.hpp"
#include "tertium/similarity/triangle_counts.hpp"

namespace tertium::internal {

/// Adds up answers into the additive similarity of the paper (section 4), one pass, answers not
/// kept:
///
///   triplet (a, b, c):          S_ab += w,  S_ac -= w          (AddS-3)
///   quadruplet (i, j, r, s):    S_ij += w,  S_rs -= w          (AddS-4)
///
/// Sums are exact integers, so one by one, in chunks or in parallel give the identical matrix.
/// Memory is that of the matrix (16-bit counters for all pairs of up to 10240 items; beyond, about
/// 12 bytes per pair that occurs) and a buffer of 1 MB.
class Accumulator : public AnswerSink {
 public:
  static constexpr std::size_t most_triangle_items = 10240;

  Accumulator() = default;

  /// An accumulator for one thread, in front of `total`: with many items the sums go straight
  /// there, so that threads share them; the rest follows in `total.merge`.
  explicit Accumulator(Accumulator& total) : total_(&total) {}

  /// Throws InputError if triplets and quadruplets are mixed or the total weight is beyond 4e12.
  void add(const Answer& answer) override;
  void add_plain(const PlainAnswers& answers) override;
  [[nodiscard]] AnswerDetail detail() const override { return AnswerDetail::sums; }

  /// Adds everything that `other` has; items are matched by name. `other` is used up. Returns what
  /// its ids of items are here.
  std::vector<ItemId> merge(Accumulator& other, Run& run);

  /// Adds a similarity that was made before. Throws InputError if it does not add up with this one:
  /// of another kind, given by the user, or made with repeats other than `sum`.
  void merge(const SimilarityMatrix& similarity, const std::string& file);

  /// The similarity so far. `listed` keeps the first so many items in front, in their order (those
  /// of an items file); the others are sorted by name.
  [[nodiscard]] SimilarityMatrix snapshot(std::size_t listed, Run& run);

 private:
  void set_quadruplets(bool quadruplets);
  void grow();
  void leave_triangle();
  void empty_triangle();
  void add_weight(Weight weight, std::uint64_t comparisons);
  void add_pair(ItemId a, ItemId b, Weight weight);
  void add_unit(ItemId a, ItemId b, bool negative);
  void pass_on_units();
  void take_units(Accumulator& from);
  BucketSums& buckets();
  [[nodiscard]] auto overflow_to_buckets();
  void fill_from_triangle(SimilarityMatrix& matrix, const std::vector<ItemId>& order,
                          const std::vector<std::uint32_t>& row_of, Run& run) const;

  std::optional<bool> quadruplets_;  // none: no answer yet
  TriangleCounts triangle_;          // answers of weight one, while there are few items
  bool in_triangle_ = true;
  std::unique_ptr<BucketSums> buckets_;  // everything else; made when needed
  std::vector<std::uint64_t> units_;     // additions on their way into the buckets
  std::vector<std::uint64_t> mentions_as_option_;
  std::vector<std::uint64_t> anchors_;
  std::uint64_t comparisons_ = 0;
  Weight weight_ = 0;
  bool fractions_ = false;  // some weight is not a whole number

  Accumulator* total_ = nullptr;
  std::vector<ItemId> ids_in_total_;
  std::mutex mutex_;  // guards a total against the accumulators in front of it
};

}  // namespace tertium::internal
