#include "tertium/similarity/accumulator.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include <fmt/format.h>

#include "tertium/answers/answer.hpp"
#include "tertium/core/triangle_builder.hpp"
#include "tertium/error.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity/similarity_rule.hpp"

namespace tertium::internal {
namespace {

/// Beyond this total (in millionths) a sum could leave 64 bits.
constexpr Weight largest_total = Weight{4'000'000'000'000} * weight_one;

/// Units collected before they go into the buckets (8 bytes each).
constexpr std::size_t unit_buffer = 1 << 17;

}  // namespace

void Accumulator::set_quadruplets(bool quadruplets) {
  if (quadruplets_.value_or(quadruplets) != quadruplets) {
    throw InputError({{},
                      "triplets and quadruplets together",
                      "either triplets or quadruplets in one run",
                      "Run them one after the other"});
  }
  quadruplets_ = quadruplets;
}

/// Makes room for items that were added since.
void Accumulator::grow() {
  if (anchors_.size() >= items.size()) return;
  mentions_as_option_.resize(items.size());
  anchors_.resize(items.size());
  if (!in_triangle_) return;
  if (items.size() <= most_triangle_items) {
    triangle_.reserve_items(items.size());
  } else {
    leave_triangle();
  }
}

BucketSums& Accumulator::buckets() {
  if (!buckets_) buckets_ = std::make_unique<BucketSums>();
  return *buckets_;
}

/// Where counters go that are full.
auto Accumulator::overflow_to_buckets() {
  return
      [this](ItemId high, ItemId low, int count) { buckets().add(high, low, count * weight_one); };
}

/// Moves the counters to the buckets.
void Accumulator::empty_triangle() {
  triangle_.for_each(overflow_to_buckets());
  triangle_ = {};
}

void Accumulator::leave_triangle() {
  empty_triangle();
  in_triangle_ = false;
  units_.reserve(unit_buffer);
  buckets();
}

void Accumulator::add_weight(Weight weight, std::uint64_t comparisons) {
  comparisons_ += comparisons;
  if (__builtin_add_overflow(weight_, weight, &weight_) || weight_ > largest_total) {
    throw InputError({{}, "a total weight above 4e12", "smaller weights", "Divide them"});
  }
}

void Accumulator::add_pair(ItemId a, ItemId b, Weight weight) {
  if (weight != weight_one && weight != -weight_one) {
    buckets().add(a, b, weight);
  } else if (in_triangle_) {
    triangle_.add_one(a, b, weight > 0 ? 1 : -1, overflow_to_buckets());
  } else {
    add_unit(a, b, weight < 0);
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
    buckets().add_units(units_);
  }
  units_.clear();
}

/// Takes the units of an accumulator in front of this one. Called from several threads.
void Accumulator::take_units(Accumulator& from) {
  bool same_ids = true;
  {
    const std::scoped_lock lock(mutex_);
    std::vector<ItemId>& ids = from.ids_in_total_;
    items.reserve_numbers(from.items.reserved_numbers());
    while (ids.size() < from.items.size()) {
      const auto next = static_cast<ItemId>(ids.size());
      ids.push_back(items.reserve(from.items.name(next)));
    }
    for (std::size_t id = 0; same_ids && id < ids.size(); ++id) same_ids = ids[id] == id;
    if (in_triangle_) leave_triangle();
  }
  if (!same_ids) {
    const std::vector<ItemId>& ids = from.ids_in_total_;
    for (std::uint64_t& unit : from.units_) {
      unit = BucketSums::unit(ids[unit >> 32U], ids[(unit & 0xFFFFFFFFU) >> 1U], (unit & 1U) != 0);
    }
  }
  buckets_->add_units(from.units_);
}

void Accumulator::add(const Answer& answer) {
  grow();
  const Weight weight = answer.weight;
  fractions_ = fractions_ || weight % weight_one != 0;
  if (answer.kind == QuestionKind::quadruplet) {
    set_quadruplets(true);
    const auto& [i, j, r, s] = answer.items;
    add_pair(i, j, weight);
    add_pair(r, s, -weight);
    for (const ItemId item : answer.items) ++mentions_as_option_[item];
    add_weight(weight, 1);
    return;
  }
  set_quadruplets(false);
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
      Accumulator::add(answer);
    }
    return;
  }
  set_quadruplets(false);
  const ItemId* const triplets = plain.items.data();
  const std::size_t count = plain.items.size() / 3;
  for (std::size_t t = 0; t < 3 * count; t += 3) {
    ++anchors_[triplets[t]];
    ++mentions_as_option_[triplets[t + 1]];
    ++mentions_as_option_[triplets[t + 2]];
  }
  if (in_triangle_) {
    triangle_.add_triplets(triplets, count, overflow_to_buckets());
  } else {
    for (std::size_t t = 0; t < 3 * count; t += 3) {
      add_unit(triplets[t], triplets[t + 1], false);
      add_unit(triplets[t], triplets[t + 2], true);
    }
  }
  add_weight(static_cast<Weight>(count) * weight_one, count);
}

std::vector<ItemId> Accumulator::merge(Accumulator& other, Run& run) {
  if (other.quadruplets_) set_quadruplets(*other.quadruplets_);
  other.grow();
  other.pass_on_units();
  std::vector<ItemId> ids(other.items.size());
  std::iota(ids.begin(), ids.end(), ItemId{0});
  if (items.size() == 0) {  // nothing here yet: take all of it
    std::swap(items, other.items);
    std::swap(triangle_, other.triangle_);
    std::swap(in_triangle_, other.in_triangle_);
    std::swap(buckets_, other.buckets_);
    std::swap(mentions_as_option_, other.mentions_as_option_);
    std::swap(anchors_, other.anchors_);
  }
  // Numbers first and in order, as `other` has them: ids are then often the same in both.
  items.reserve_numbers(other.items.reserved_numbers());
  bool same_ids = true;
  for (ItemId id = 0; id < other.items.size(); ++id) {
    const std::string& name = other.items.name(id);
    ids[id] = other.items.is_item(id) ? items.add(name) : items.reserve(name);
    same_ids = same_ids && ids[id] == id;
  }
  grow();
  if (same_ids && in_triangle_) {
    triangle_.add_all(other.triangle_, overflow_to_buckets());
  } else {
    other.triangle_.for_each([&](ItemId high, ItemId low, int count) {
      buckets().add(ids[high], ids[low], count * weight_one);
    });
  }
  if (other.buckets_) {
    other.buckets_->settle(run);
    other.buckets_->for_each(other.items.size(), [&](ItemId high, ItemId low, Weight sum) {
      buckets().add(ids[high], ids[low], sum);
    });
  }
  for (std::size_t i = 0; i < other.items.size(); ++i) {
    mentions_as_option_[ids[i]] += other.mentions_as_option_[i];
    anchors_[ids[i]] += other.anchors_[i];
  }
  fractions_ = fractions_ || other.fractions_;
  add_weight(other.weight_, other.comparisons_);
  return ids;
}

void Accumulator::merge(const SimilarityMatrix& similarity, const std::string& file) {
  if (!is_additive(similarity.rule)) {
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
  if (quadruplets_.value_or(similarity.quadruplets) != similarity.quadruplets) {
    throw InputError({{file},
                      fmt::format("{}, after {}", similarity_title(similarity.rule),
                                  default_rule(*quadruplets_).title),
                      "either triplets or quadruplets in one run",
                      "Run them one after the other"});
  }
  quadruplets_ = similarity.quadruplets;
  if (weight_one % similarity.denominator != 0) {
    throw InputError({{file},
                      fmt::format("a snapshot in units of 1/{}", similarity.denominator),
                      "units that a millionth is a part of, as answers have them",
                      "Make it again"});
  }
  const Weight unit = weight_one / similarity.denominator;
  Weight weight = 0;
  if (__builtin_mul_overflow(similarity.weight, unit, &weight)) weight = largest_total + 1;
  add_weight(weight, similarity.comparisons);  // no value is larger: products with unit fit
  std::vector<ItemId> ids;
  for (const std::string& name : similarity.items) ids.push_back(items.add(name));
  grow();
  for (std::size_t i = 0; i < similarity.size(); ++i) {
    for (std::size_t at = similarity.row_start[i]; at < similarity.row_start[i + 1]; ++at) {
      buckets().add(ids[i], ids[similarity.column[at]], similarity.value[at] * unit);
    }
    mentions_as_option_[ids[i]] += similarity.mentions[i] - similarity.anchors[i];
    anchors_[ids[i]] += similarity.anchors[i];
  }
  fractions_ = fractions_ || similarity.denominator != 1;
}

SimilarityMatrix Accumulator::snapshot(std::size_t listed, Run& run) {
  grow();
  pass_on_units();
  std::vector<ItemId> order;
  for (ItemId id = 0; id < items.size(); ++id) {
    if (items.is_item(id)) order.push_back(id);
  }
  const auto by_name = [&](ItemId a, ItemId b) {
    return item_name_less(items.name(a), items.name(b));
  };
  const auto first_by_name =
      order.begin() + static_cast<std::ptrdiff_t>(std::min(listed, order.size()));
  // Numbers usually have their ids in order.
  if (!std::is_sorted(first_by_name, order.end(), by_name)) {
    std::sort(first_by_name, order.end(), by_name);
  }
  SimilarityMatrix matrix;
  std::vector<std::uint32_t> row_of(items.size());
  for (std::size_t row = 0; row < order.size(); ++row) {
    row_of[order[row]] = static_cast<std::uint32_t>(row);
    matrix.items.push_back(items.name(order[row]));
    matrix.mentions.push_back(anchors_[order[row]] + mentions_as_option_[order[row]]);
    matrix.anchors.push_back(anchors_[order[row]]);
  }
  matrix.quadruplets = quadruplets_.value_or(false);
  matrix.rule = default_rule(matrix.quadruplets).name;
  matrix.denominator = fractions_ ? weight_one : 1;
  const Weight unit = weight_one / matrix.denominator;
  matrix.comparisons = comparisons_;
  matrix.weight = weight_ / unit;
  if (!buckets_ && std::is_sorted(order.begin(), order.end())) {
    fill_from_triangle(matrix, order, row_of, run);
    return matrix;
  }
  if (buckets_) {
    empty_triangle();
    in_triangle_ = false;
    buckets_->settle(run);
  }
  const auto for_each_sum = [&](const auto& visit) {
    if (buckets_) {
      buckets_->for_each(items.size(), visit);
    } else {
      triangle_.for_each(
          [&](ItemId high, ItemId low, int count) { visit(high, low, count * weight_one); });
    }
  };
  TriangleBuilder triangle(matrix, matrix.size());
  for_each_sum([&](ItemId a, ItemId b, Weight) { triangle.count(row_of[a], row_of[b]); });
  triangle.allocate();
  for_each_sum(
      [&](ItemId a, ItemId b, Weight sum) { triangle.put(row_of[a], row_of[b], sum / unit); });
  triangle.finish(run);
  return matrix;
}

/// The stored triangle from the counters, row by row: items have their ids in the order of rows.
void Accumulator::fill_from_triangle(SimilarityMatrix& matrix, const std::vector<ItemId>& order,
                                     const std::vector<std::uint32_t>& row_of, Run& run) const {
  constexpr std::size_t rows_at_once = 16;
  const auto for_each_row = [&](const auto& work) {
    std::atomic<std::size_t> next = 0;
    run.workers(run.threads(), [&](int) {
      std::vector<std::uint32_t> columns(order.size() + 1);
      for (std::size_t from = next.fetch_add(rows_at_once); from < order.size();
           from = next.fetch_add(rows_at_once)) {
        const std::size_t to = std::min(from + rows_at_once, order.size());
        for (std::size_t row = from; row < to; ++row) work(row, columns);
      }
    });
  };
  matrix.row_start.assign(order.size() + 1, 0);
  for_each_row([&](std::size_t row, const std::vector<std::uint32_t>&) {
    const auto counters = triangle_.row(order[row]);
    matrix.row_start[row + 1] =
        counters.size() - static_cast<std::size_t>(std::count(counters.begin(), counters.end(), 0));
  });
  std::partial_sum(matrix.row_start.begin(), matrix.row_start.end(), matrix.row_start.begin());
  matrix.column.resize(matrix.row_start.back());
  matrix.value.resize(matrix.row_start.back());
  for_each_row([&](std::size_t row, std::vector<std::uint32_t>& ids) {
    const auto counters = triangle_.row(order[row]);
    std::size_t found = 0;
    for (std::uint32_t low = 0; low < counters.size(); ++low) {
      ids[found] = low;  // kept only if the counter is not zero: no branch to predict
      found += static_cast<std::size_t>(counters[low] != 0);
    }
    const std::size_t first = matrix.row_start[row];
    for (std::size_t at = 0; at < found; ++at) {
      matrix.column[first + at] = row_of[ids[at]];
      matrix.value[first + at] = counters[ids[at]] * matrix.denominator;
    }
  });
}

}  // namespace tertium::internal
