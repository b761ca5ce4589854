#include "tertium/similarity/accumulator.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "tertium/core/error.hpp"

namespace tertium {
namespace {

/// Beyond this total (in millionths) a sum could leave 64 bits.
constexpr Weight largest_total = Weight{4'000'000'000'000} * weight_one;

/// Units collected before they go into the buckets (8 bytes each).
constexpr std::size_t unit_buffer = 1 << 17;

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

/// Makes room for items that were added since.
void Accumulator::grow() {
  if (anchors_.size() >= items.size()) return;
  mentions_as_option_.resize(items.size());
  anchors_.resize(items.size());
  if (items.size() <= most_triangle_items) {
    triangle_.reserve_items(items.size());
  } else {
    leave_triangle();
  }
}

void Accumulator::leave_triangle() {
  if (buckets_) return;
  buckets_ = std::make_unique<BucketSums>();
  units_.reserve(unit_buffer);
  for (ItemId a = 0; a < triangle_.items(); ++a) {
    for (ItemId b = 0; b < a; ++b) {
      if (const Weight sum = triangle_.sum(a, b); sum != 0) buckets_->add(a, b, sum);
    }
  }
  triangle_ = {};
}

void Accumulator::add_weight(Weight weight, std::uint64_t comparisons) {
  comparisons_ += comparisons;
  weight_ += weight;
  if (weight_ > largest_total) {
    throw InputError({{}, "a total weight above 4e12", "smaller weights", "Divide them"});
  }
}

void Accumulator::add_pair(ItemId a, ItemId b, Weight weight) {
  if (!buckets_) {
    triangle_.add(a, b, weight);
  } else if (weight == weight_one || weight == -weight_one) {
    add_unit(a, b, weight < 0);
  } else {
    buckets_->add(a, b, weight);
  }
}

void Accumulator::add_unit(ItemId a, ItemId b, bool negative) {
  units_.push_back(BucketSums::unit(a, b, negative));
  if (units_.size() >= unit_buffer) pass_on_units();
}

void Accumulator::pass_on_units() {
  if (units_.empty()) return;
  if (total_ != nullptr) {
    total_->take_units(*this);
  } else {
    buckets_->add_units(units_);
  }
  units_.clear();
}

/// Learns the items of an accumulator in front of this one. Thread-safe.
void Accumulator::enter(Accumulator& from) {
  const std::scoped_lock lock(mutex_);
  while (from.ids_in_total_.size() < from.items.size()) {
    const auto next = static_cast<ItemId>(from.ids_in_total_.size());
    from.ids_in_total_.push_back(items.add(from.items.name(next)));
  }
  grow();
}

void Accumulator::take_units(Accumulator& from) {
  enter(from);
  const std::vector<ItemId>& ids = from.ids_in_total_;
  for (std::uint64_t& unit : from.units_) {
    unit = BucketSums::unit(ids[unit >> 32U], ids[(unit & 0xFFFFFFFFU) >> 1U], (unit & 1U) != 0);
  }
  buckets_->add_units(from.units_);
}

void Accumulator::add(const Answer& answer) {
  grow();
  const Weight weight = answer.weight;
  fractions_ = fractions_ || weight % weight_one != 0;
  if (answer.kind == QuestionKind::quadruplet) {
    set_kind(SimilarityKind::adds4);
    const auto& [i, j, r, s] = answer.items;
    add_pair(i, j, weight);
    add_pair(r, s, -weight);
    for (const ItemId item : answer.items) ++mentions_as_option_[item];
    add_weight(weight, 1);
    return;
  }
  set_kind(SimilarityKind::adds3);
  const TripletList list = triplets_of(answer.kind, answer.items);
  for (std::size_t t = 0; t < list.size; ++t) {
    const auto& [anchor, near, far] = list.triplets[t];
    add_pair(anchor, near, weight);
    add_pair(anchor, far, -weight);
    ++anchors_[anchor];
    ++mentions_as_option_[near];
    ++mentions_as_option_[far];
    add_weight(weight, 1);
  }
}

void Accumulator::add_plain(const PlainAnswers& plain) {
  grow();
  if (plain.kind != QuestionKind::triplet) {
    const std::size_t width = items_in(plain.kind);
    Answer answer;
    answer.kind = plain.kind;
    for (std::size_t at = 0; at < plain.items.size(); at += width) {
      std::copy_n(plain.items.begin() + static_cast<std::ptrdiff_t>(at), width,
                  answer.items.begin());
      add(answer);
    }
    return;
  }
  set_kind(SimilarityKind::adds3);
  const ItemId* const triplets = plain.items.data();
  const std::size_t count = plain.items.size() / 3;
  for (std::size_t t = 0; t < 3 * count; t += 3) {
    ++anchors_[triplets[t]];
    ++mentions_as_option_[triplets[t + 1]];
    ++mentions_as_option_[triplets[t + 2]];
  }
  if (buckets_) {
    for (std::size_t t = 0; t < 3 * count; t += 3) {
      add_unit(triplets[t], triplets[t + 1], false);
      add_unit(triplets[t], triplets[t + 2], true);
    }
  } else {
    triangle_.add_triplets(triplets, count);
  }
  add_weight(static_cast<Weight>(count) * weight_one, count);
}

void Accumulator::merge(Accumulator& other) {
  if (other.kind_) set_kind(*other.kind_);
  other.pass_on_units();
  if (items.size() == 0 && !other.buckets_) {  // nothing here yet: take all of it
    std::swap(items, other.items);
    std::swap(triangle_, other.triangle_);
    std::swap(mentions_as_option_, other.mentions_as_option_);
    std::swap(anchors_, other.anchors_);
  }
  other.grow();
  std::vector<ItemId> ids;
  for (const std::string& name : other.items.names()) ids.push_back(items.add(name));
  grow();
  for (ItemId a = 0; a < other.triangle_.items(); ++a) {
    for (ItemId b = 0; b < a; ++b) {
      if (const Weight sum = other.triangle_.sum(a, b); sum != 0) add_pair(ids[a], ids[b], sum);
    }
  }
  if (other.buckets_) {
    other.buckets_->settle(1);
    other.buckets_->for_each(
        [&](ItemId a, ItemId b, Weight sum) { add_pair(ids[a], ids[b], sum); });
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    mentions_as_option_[ids[i]] += other.mentions_as_option_[i];
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
      add_pair(ids[i], ids[similarity.column[at]], similarity.value[at] * unit);
    }
    mentions_as_option_[ids[i]] += similarity.mentions[i] - similarity.anchors[i];
    anchors_[ids[i]] += similarity.anchors[i];
  }
  fractions_ = fractions_ || similarity.denominator != 1;
  add_weight(similarity.weight * unit, similarity.comparisons);
}

SimilarityMatrix Accumulator::snapshot(std::size_t listed) { return make_matrix(listed, 1, false); }

SimilarityMatrix Accumulator::take(std::size_t listed, int threads) {
  return make_matrix(listed, threads, true);
}

SimilarityMatrix Accumulator::make_matrix(std::size_t listed, int threads, bool release) {
  grow();
  pass_on_units();
  const std::size_t count = items.size();
  std::vector<ItemId> order(count);
  std::iota(order.begin(), order.end(), ItemId{0});
  std::sort(order.begin() + static_cast<std::ptrdiff_t>(std::min(listed, count)), order.end(),
            [&](ItemId a, ItemId b) { return item_name_less(items.name(a), items.name(b)); });
  SimilarityMatrix matrix;
  for (const ItemId item : order) {
    matrix.items.push_back(items.name(item));
    matrix.mentions.push_back(anchors_[item] + mentions_as_option_[item]);
    matrix.anchors.push_back(anchors_[item]);
  }
  matrix.kind = kind_.value_or(SimilarityKind::adds3);
  matrix.denominator = fractions_ ? weight_one : 1;
  const Weight unit = weight_one / matrix.denominator;
  matrix.comparisons = comparisons_;
  matrix.weight = weight_ / unit;
  if (!buckets_) {
    matrix.row_start.push_back(0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const Weight sum = triangle_.sum(order[i], order[j]);
        if (sum == 0) continue;
        matrix.column.push_back(static_cast<std::uint32_t>(j));
        matrix.value.push_back(sum / unit);
      }
      matrix.row_start.push_back(matrix.value.size());
    }
    return matrix;
  }
  fill_triangle(matrix, order, unit, threads, release);
  return matrix;
}

void Accumulator::fill_triangle(SimilarityMatrix& matrix, const std::vector<ItemId>& order,
                                Weight unit, int threads, bool release) {
  std::vector<std::uint32_t> row_of(order.size());
  for (std::size_t row = 0; row < order.size(); ++row) {
    row_of[order[row]] = static_cast<std::uint32_t>(row);
  }
  TriangleBuilder triangle(matrix);
  buckets_->settle(threads);
  buckets_->for_each([&](ItemId a, ItemId b, Weight) { triangle.count(row_of[a], row_of[b]); });
  triangle.allocate();
  // Every thread puts the pairs of its own rows; blocks of rows, so that threads do not share lines
  // of the cache.
  const auto own_rows = [&](int worker, std::uint32_t row) {
    return static_cast<int>((row / 64) % static_cast<std::uint32_t>(threads)) == worker;
  };
  const auto put = [&](int worker, ItemId a, ItemId b, Weight sum) {
    const auto [i, j] = std::minmax(row_of[a], row_of[b]);
    if (own_rows(worker, i)) triangle.put(i, j, sum / unit);
  };
  if (release) {
    buckets_->for_each_and_release(threads, put);
  } else {
    threads = 1;
    buckets_->for_each([&](ItemId a, ItemId b, Weight sum) { put(0, a, b, sum); });
  }
  triangle.finish(threads);
}

}  // namespace tertium
