#include <algorithm>
#include <cassert>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tertium/answers/answer.hpp"
#include "tertium/answers/stored_answers.hpp"
#include "tertium/error.hpp"
#include "tertium/verify.hpp"
#include "tertium/verify/pair_sums.hpp"

namespace tertium::internal {
namespace {

using verifying::PairSum;
using verifying::PairSums;

/// Adds up the answers that one thread reads, in millionths.
class PairSink : public AnswerSink {
 public:
  void add(const Answer& answer) override { add_up(answer.kind, answer.items, answer.weight); }

  void add_plain(const PlainAnswers& plain) override {
    const std::size_t width = items_in(plain.kind);
    for (std::size_t at = 0; at < plain.items.size(); at += width) {
      add_up(plain.kind, plain.items.subspan(at, width), weight_one);
    }
  }

  [[nodiscard]] AnswerDetail detail() const override { return AnswerDetail::sums; }

  /// Every sum over a pair is at most the total weight, whatever the order of the answers.
  void add_weight(Weight weight) {
    if (__builtin_add_overflow(total_weight, weight, &total_weight)) {
      throw InputError({{}, "a total weight that leaves 64 bits", "smaller weights", ""});
    }
  }

  PairSums sums;
  Weight total_weight = 0;
  std::uint64_t triplets = 0;
  std::uint64_t quadruplets = 0;
  bool whole_weights = true;

 private:
  void add_up(QuestionKind kind, std::span<const ItemId> ids, Weight weight) {
    if (weight % weight_one != 0) whole_weights = false;
    if (kind == QuestionKind::quadruplet) {
      compare(ids[0], ids[1], ids[2], ids[3], weight);
      ++quadruplets;
      return;
    }
    const TripletList list = triplets_of(kind, ids);
    for (std::size_t t = 0; t < list.size; ++t) {
      const auto& [anchor, near, far] = list.triplets[t];
      compare(anchor, near, anchor, far, weight);
      ++triplets;
    }
  }

  void compare(ItemId i, ItemId j, ItemId r, ItemId s, Weight weight) {
    add_weight(weight);
    sums.add(i, j, weight);
    sums.add(r, s, -weight);
  }
};

using PairSinks = std::vector<std::unique_ptr<PairSink>>;

/// One sink for each thread, with all answers.
PairSinks read_all_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                           Run& run) {
  PairSinks sinks;
  std::vector<AnswerSink*> pointers;
  for (int thread = 0; thread < run.threads(); ++thread) {
    sinks.push_back(std::make_unique<PairSink>());
    pointers.push_back(sinks.back().get());
  }
  read_answers(files, options, pointers, run);
  return sinks;
}

/// One sink with the answers that count. Which ones do is known only when all have been seen.
PairSinks read_without_repeats(const std::vector<InputFile>& files, const ReadOptions& options,
                               Repeats repeats, Run& run) {
  StoredAnswers stored;
  AnswerSink* pointer = &stored;
  read_answers(files, options, {&pointer, 1}, run);
  PairSinks sinks;
  sinks.push_back(std::make_unique<PairSink>());
  sinks[0]->items = stored.items;
  for (const Answer& answer : reduce_repeats(stored.take_answers(), repeats).answers) {
    sinks[0]->add(answer);
  }
  return sinks;
}

/// The items of all sinks in the order of rows that outputs have: claims mostly come in it too.
std::vector<std::string> all_items(const PairSinks& sinks) {
  std::vector<std::string> items;
  for (const auto& sink : sinks) {
    for (ItemId id = 0; id < sink->items.size(); ++id) {
      if (sink->items.is_item(id)) items.push_back(sink->items.name(id));
    }
  }
  std::sort(items.begin(), items.end(), item_name_less);
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

/// For every number of an item in a sink, its place in `items`.
std::vector<std::uint32_t> rows_of(const ItemTable& table, const std::vector<std::string>& items) {
  std::unordered_map<std::string_view, std::uint32_t> row_of;
  for (const std::string& item : items) {
    row_of.emplace(item, static_cast<std::uint32_t>(row_of.size()));
  }
  std::vector<std::uint32_t> rows;
  for (ItemId id = 0; id < table.size(); ++id) {
    rows.push_back(table.is_item(id) ? row_of.at(table.name(id)) : no_row);
  }
  return rows;
}

/// The sums of all sinks over pairs of rows, divided by `unit`. Uses up the sinks.
PairSums sums_by_row(PairSinks sinks, const std::vector<std::string>& items, Weight unit) {
  PairSums total;
  for (auto& sink : sinks) {
    const std::vector<std::uint32_t> rows = rows_of(sink->items, items);
    for (const PairSum& pair : sink->sums.take()) {
      total.add(rows[pair.high], rows[pair.low], pair.sum / unit);
    }
    sink.reset();
  }
  return total;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

GivenSums add_up_answers(const std::vector<InputFile>& files, const ReadOptions& options,
                         Repeats repeats, Run& run) {
  PairSinks sinks = repeats == Repeats::sum ? read_all_answers(files, options, run)
                                            : read_without_repeats(files, options, repeats, run);
  PairSink& first = *sinks[0];
  for (std::size_t i = 1; i < sinks.size(); ++i) {
    first.add_weight(sinks[i]->total_weight);
    first.triplets += sinks[i]->triplets;
    first.quadruplets += sinks[i]->quadruplets;
    first.whole_weights = first.whole_weights && sinks[i]->whole_weights;
  }
  assert(first.triplets == 0 || first.quadruplets == 0);  // the reader refuses both together
  GivenSums given;
  given.kind = first.quadruplets > 0 ? "adds4" : "adds3";
  given.repeats = repeats;
  given.comparisons = first.triplets + first.quadruplets;
  if (given.comparisons == 0) {
    throw InputError({{files[0].path},
                      "no answer that can be used",
                      "at least one",
                      "See why: tertium check " + files[0].path});
  }
  given.items = all_items(sinks);
  // Whole weights are added up as millionths, but S is written without them.
  const Weight unit = first.whole_weights ? weight_one : 1;
  PairSums sums = sums_by_row(std::move(sinks), given.items, unit);
  given.triangle = verifying::triangle_of(sums, given.items.size(), weight_one / unit);
  return given;
}

}  // namespace tertium
