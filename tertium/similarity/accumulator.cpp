#include "tertium/similarity/accumulator.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "tertium/core/error.hpp"

namespace tertium {
namespace {

/// Beyond this total (in millionths) a sum could leave 64 bits.
constexpr Weight largest_total = Weight{4'000'000'000'000} * weight_one;

}  // namespace

void Accumulator::set_kind(SimilarityKind kind) {
  if (kind_ && *kind_ != kind) {
    throw InputError({{},
                      "triplets and quadruplets together",
                      "either triplets or quadruplets in one run",
                      "Run them one after the other"});
  }
  kind_ = kind;
}

void Accumulator::grow() {
  if (mentions_.size() >= items.size()) return;
  sums_.reserve_items(items.size());
  mentions_.resize(items.size());
  anchors_.resize(items.size());
}

void Accumulator::add_weight(Weight weight, std::uint64_t comparisons) {
  comparisons_ += comparisons;
  weight_ += weight;
  if (weight_ > largest_total) {
    throw InputError({{}, "a total weight above 4e12", "smaller weights", "Divide them"});
  }
}

void Accumulator::add(const Answer& answer) {
  grow();
  const Weight weight = answer.weight;
  fractions_ = fractions_ || weight % weight_one != 0;
  if (answer.kind == QuestionKind::quadruplet) {
    set_kind(SimilarityKind::adds4);
    const auto& [i, j, r, s] = answer.items;
    sums_.add(i, j, weight);
    sums_.add(r, s, -weight);
    for (const ItemId item : answer.items) ++mentions_[item];
    add_weight(weight, 1);
    return;
  }
  set_kind(SimilarityKind::adds3);
  const TripletList list = triplets_of(answer.kind, answer.items);
  for (std::size_t t = 0; t < list.size; ++t) {
    const auto& [anchor, near, far] = list.triplets[t];
    sums_.add(anchor, near, weight);
    sums_.add(anchor, far, -weight);
    ++anchors_[anchor];
    for (const ItemId item : list.triplets[t]) ++mentions_[item];
    add_weight(weight, 1);
  }
}

void Accumulator::add_plain(const PlainAnswers& plain) {
  grow();
  if (plain.kind == QuestionKind::triplet && sums_.square() != nullptr) {
    set_kind(SimilarityKind::adds3);
    Weight* const square = sums_.square();
    const std::size_t stride = sums_.stride();
    for (std::size_t at = 0; at < plain.items.size(); at += 3) {
      const ItemId anchor = plain.items[at];
      const ItemId near = plain.items[at + 1];
      const ItemId far = plain.items[at + 2];
      square[anchor * stride + near] += weight_one;
      square[anchor * stride + far] -= weight_one;
      ++anchors_[anchor];
      ++mentions_[anchor];
      ++mentions_[near];
      ++mentions_[far];
    }
    const std::size_t count = plain.items.size() / 3;
    add_weight(static_cast<Weight>(count) * weight_one, count);
    return;
  }
  const std::size_t width = items_in(plain.kind);
  Answer answer;
  answer.kind = plain.kind;
  for (std::size_t at = 0; at < plain.items.size(); at += width) {
    std::copy_n(plain.items.begin() + static_cast<std::ptrdiff_t>(at), width, answer.items.begin());
    add(answer);
  }
}

void Accumulator::merge(Accumulator& other) {
  if (other.kind_) set_kind(*other.kind_);
  std::vector<ItemId> ids;
  for (const std::string& name : other.items.names()) ids.push_back(items.add(name));
  grow();
  sums_.add_all(other.sums_, ids);
  for (std::size_t i = 0; i < other.mentions_.size(); ++i) {
    mentions_[ids[i]] += other.mentions_[i];
    anchors_[ids[i]] += other.anchors_[i];
  }
  fractions_ = fractions_ || other.fractions_;
  add_weight(other.weight_, other.comparisons_);
}

void Accumulator::merge(const SimilarityMatrix& similarity, const std::string& file) {
  if (similarity.kind == SimilarityKind::precomputed) {
    throw InputError({{file},
                      "a similarity that was given, not counted",
                      "snapshots of answers: only they add up",
                      ""});
  }
  if (similarity.repeats != Repeats::sum) {
    throw InputError(
        {{file},
         fmt::format("a snapshot made with --repeats {}", to_string(similarity.repeats)),
         "snapshots made with --repeats sum: a snapshot does not know which questions it holds",
         "Make it again from all answers together"});
  }
  if (kind_ && *kind_ != similarity.kind) {
    throw InputError({{file},
                      fmt::format("{}, after {}", to_string(similarity.kind), to_string(*kind_)),
                      "either triplets or quadruplets in one run",
                      "Run them one after the other"});
  }
  kind_ = similarity.kind;
  const Weight unit = weight_one / similarity.denominator;
  std::vector<ItemId> ids;
  for (const std::string& name : similarity.items) ids.push_back(items.add(name));
  grow();
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      sums_.add(ids[i], ids[similarity.column[at]], similarity.value[at] * unit);
    }
    mentions_[ids[i]] += similarity.mentions[i];
    anchors_[ids[i]] += similarity.anchors[i];
  }
  fractions_ = fractions_ || similarity.denominator != 1;
  add_weight(similarity.weight * unit, similarity.comparisons);
}

void Accumulator::clear() {
  sums_.clear();
  std::fill(mentions_.begin(), mentions_.end(), 0);
  std::fill(anchors_.begin(), anchors_.end(), 0);
  comparisons_ = 0;
  weight_ = 0;
}

SimilarityMatrix Accumulator::snapshot(std::size_t listed) { return make_matrix(listed, false); }
SimilarityMatrix Accumulator::take(std::size_t listed) { return make_matrix(listed, true); }

SimilarityMatrix Accumulator::make_matrix(std::size_t listed, bool release) {
  grow();
  const std::size_t count = items.size();
  std::vector<ItemId> order(count);
  std::iota(order.begin(), order.end(), ItemId{0});
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(std::min(listed, count)), order.end(),
            [&](ItemId a, ItemId b) { return item_name_less(items.name(a), items.name(b)); });
  std::vector<std::uint32_t> row_of(count);
  SimilarityMatrix matrix;
  for (std::size_t row = 0; row < count; ++row) {
    row_of[order[row]] = static_cast<std::uint32_t>(row);
    matrix.items.push_back(items.name(order[row]));
    matrix.mentions.push_back(mentions_[order[row]]);
    matrix.anchors.push_back(anchors_[order[row]]);
  }
  matrix.kind = kind_.value_or(SimilarityKind::adds3);
  matrix.denominator = fractions_ ? weight_one : 1;
  const Weight unit = weight_one / matrix.denominator;
  matrix.comparisons = comparisons_;
  matrix.weight = weight_ / unit;

  TriangleBuilder triangle(matrix);
  sums_.for_each([&](ItemId a, ItemId b, Weight) { triangle.count(row_of[a], row_of[b]); });
  triangle.allocate();
  sums_.for_each(
      [&](ItemId a, ItemId b, Weight sum) { triangle.put(row_of[a], row_of[b], sum / unit); },
      release);
  triangle.finish();
  return matrix;
}

}  // namespace tertium
