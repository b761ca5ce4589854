#include "fuzz/answers.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/check.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity.hpp"
#include "tertium/verify.hpp"

namespace tertium::fuzzing {
namespace {

/// Nothing if the input is refused.
template <class Work>
auto if_readable(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// As `tertium check` reads it.
RowCounts check_file(const std::string& path, const ReadOptions& options) {
  Run run({.threads = 1});
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  const ReadReport report = read_answers({path}, options, {&sink, 1}, run);
  const RowCounts& counts = report.counts;
  promise(counts.rows == counts.answered + counts.not_questions + counts.filtered +
                             counts.catch_trials + counts.unanswered + counts.ties + counts.bad,
          "every row is counted once");
  const DataCheck check = check_data(stored, report.listed_items, counts.comparisons);
  check_as_text(check, report);
  check_as_json(check, report);
  return counts;
}

using NamedSums = std::map<std::pair<std::string, std::string>, std::int64_t>;

NamedSums by_name(const IntegerTriangle& triangle, const std::vector<std::string>& items) {
  NamedSums sums;
  for (std::size_t row = 0; row < triangle.size(); ++row) {
    for (std::size_t at = triangle.row_start[row]; at < triangle.row_start[row + 1]; ++at) {
      const auto names = std::minmax(items[row], items[triangle.column[at]]);
      if (triangle.value[at] != 0) sums[names] = triangle.value[at];
    }
  }
  return sums;
}

/// As `tertium cluster` reads it, and as the checker of certificates does.
void add_up(const std::string& path, const LoadOptions& options, const RowCounts& counts) {
  Run run({.threads = 1});
  const auto loaded = if_readable([&] { return load_similarity({path}, options, run); });
  if (!loaded || loaded->similarity.is_given()) return;
  const SimilarityMatrix& made = loaded->similarity;
  validate(made);
  promise(made.comparisons == counts.comparisons, "sums are made of what was counted");
  const GivenSums given = add_up_answers({path}, options.read, options.repeats, run);
  promise(given.comparisons == made.comparisons, "the checker counts the same comparisons");
  promise(given.triangle.denominator == made.denominator, "the checker has the same denominator");
  promise(by_name(given.triangle, given.items) == by_name(made, made.items),
          "the checker comes to the same sums");
}

}  // namespace

std::optional<RowCounts> read_every_way(const std::string& path, const ReadOptions& options) {
  const auto strict = if_readable([&] { return check_file(path, options); });
  ReadOptions skipping = options;
  skipping.skip_bad_rows = true;
  const auto lenient = if_readable([&] { return check_file(path, skipping); });
  if (!strict) return strict;
  if (!options.skip_bad_rows) {
    promise(lenient && lenient->bad == 0 && lenient->comparisons == strict->comparisons,
            "where no row is bad there is none to skip");
  }
  LoadOptions load;
  load.read = options;
  load.keep_answers = true;
  add_up(path, load, *strict);
  return strict;
}

void read_answers_file(std::string_view bytes) {
  const MemoryFile file(bytes);
  read_every_way(file.path(), {});
}

}  // namespace tertium::fuzzing
