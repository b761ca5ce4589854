// Answers per second into the accumulator, without reading: build/bench/accumulate_bench
#include <map>
#include <random>

#include <benchmark/benchmark.h>

#include "tertium/answers/answer.hpp"
#include "tertium/similarity/accumulator.hpp"

namespace {

using namespace tertium;
using namespace tertium::internal;

std::vector<ItemId> random_triplets(ItemId items, std::size_t count) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<ItemId> item(0, items - 1);
  std::vector<ItemId> triplets;
  while (triplets.size() < 3 * count) {
    const std::array<ItemId, 3> t{item(random), item(random), item(random)};
    if (!compares_with_itself(QuestionKind::triplet, t)) {
      triplets.insert(triplets.end(), t.begin(), t.end());
    }
  }
  return triplets;
}

/// The sums are right, or there is nothing to time.
bool is_right(const std::vector<ItemId>& triplets, const SimilarityMatrix& matrix) {
  std::map<std::pair<ItemId, ItemId>, std::int64_t> sums;
  for (std::size_t t = 0; t < triplets.size(); t += 3) {
    sums[std::minmax(triplets[t], triplets[t + 1])] += 1;
    sums[std::minmax(triplets[t], triplets[t + 2])] -= 1;
  }
  std::erase_if(sums, [](const auto& entry) { return entry.second == 0; });
  if (sums.size() != matrix.nonzeros()) return false;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t at = matrix.row_start[i]; at < matrix.row_start[i + 1]; ++at) {
      if (sums[{matrix.column[at], static_cast<ItemId>(i)}] != matrix.value[at]) return false;
    }
  }
  return true;
}

void add_triplets(benchmark::State& state) {
  const auto items = static_cast<ItemId>(state.range(0));
  constexpr std::size_t count = 1'000'000;
  constexpr std::size_t batch = 3 * 1024;
  const std::vector<ItemId> triplets = random_triplets(items, count);
  const auto accumulate = [&](Accumulator& accumulator) {
    accumulator.items.reserve_numbers(items);
    for (ItemId item = 0; item < items; ++item) accumulator.items.add(std::to_string(item));
    for (std::size_t at = 0; at < triplets.size(); at += batch) {
      const std::size_t size = std::min(batch, triplets.size() - at);
      accumulator.add_plain({QuestionKind::triplet, {triplets.data() + at, size}});
    }
  };
  Run run;
  Accumulator checked;
  accumulate(checked);
  if (!is_right(triplets, checked.snapshot(0, run))) {
    state.SkipWithError("wrong sums");
    return;
  }
  for (auto _ : state) {
    Accumulator accumulator;
    accumulate(accumulator);
    benchmark::DoNotOptimize(accumulator);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}
BENCHMARK(add_triplets)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
