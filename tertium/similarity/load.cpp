#include "tertium/similarity/load.hpp"

#include <memory>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "tertium/answers/data_check.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/run.hpp"
#include "tertium/similarity/accumulator.hpp"
#include "tertium/similarity/precomputed.hpp"
#include "tertium/similarity/snapshot.hpp"

namespace tertium {
namespace {

ReadReport add_up(const std::vector<InputFile>& files, const LoadOptions& options, Run& run,
                  Accumulator& total) {
  const int threads = run.threads();
  std::vector<std::unique_ptr<Accumulator>> workers;
  std::vector<AnswerSink*> sinks;
  if (threads == 1) {
    sinks.push_back(&total);
  } else {
    for (int i = 0; i < threads; ++i) {
      workers.push_back(std::make_unique<Accumulator>(total));
      sinks.push_back(workers.back().get());
    }
  }
  ReadReport report = read_answers(files, options.read, sinks, run);
  for (const auto& worker : workers) total.merge(*worker, run);
  return report;
}

/// Reads all answers at once: to see which are repeats, or to keep them.
ReducedAnswers add_up_stored(const std::vector<InputFile>& files, const LoadOptions& options,
                             Run& run, Accumulator& total, ReadReport& report,
                             std::optional<double>& agreement) {
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  report = read_answers(files, options.read, {&sink, 1}, run);
  total.items = stored.items;
  if (options.keep_answers) agreement = repeat_agreement(stored.answers());
  ReducedAnswers reduced = reduce_repeats(stored.take_answers(), options.repeats);
  for (const Answer& answer : reduced.answers) total.add(answer);
  return reduced;
}

/// For every item id of the reader, its row in the similarity.
std::vector<std::uint32_t> rows_of(const ItemTable& items, const SimilarityMatrix& similarity) {
  std::unordered_map<std::string_view, std::uint32_t> row_of;
  for (std::uint32_t row = 0; row < similarity.size(); ++row) {
    row_of.emplace(similarity.items[row], row);
  }
  std::vector<std::uint32_t> rows;
  rows.reserve(items.size());
  for (const std::string& name : items.names()) {
    const auto found = row_of.find(name);
    rows.push_back(found == row_of.end() ? no_row : found->second);
  }
  return rows;
}

}  // namespace

LoadedSimilarity load_similarity(const std::vector<InputFile>& inputs, const LoadOptions& options,
                                 Run& run) {
  LoadedSimilarity loaded;
  std::vector<InputFile> answers;
  std::vector<InputFile> matrices;
  std::vector<InputFile> snapshots;
  const std::string flag = some_flag_set(options.read);
  for (const InputFile& file : expand_inputs(inputs)) {
    if (is_snapshot(file)) {
      snapshots.push_back(file);
    } else if (options.matrix || (flag.empty() && is_similarity_matrix(file))) {
      matrices.push_back(file);
    } else {
      answers.push_back(file);
    }
  }
  if (answers.empty() && !flag.empty()) {
    throw InputError({{inputs[0].path},
                      fmt::format("{} and no file of answers", flag),
                      "files of answers for such a flag: sums do not remember rows",
                      ""});
  }
  if (!matrices.empty()) {
    if (matrices.size() + answers.size() + snapshots.size() > 1) {
      throw InputError({{matrices[0].path},
                        "a similarity matrix among several inputs",
                        "a similarity matrix alone: it does not add up with answers",
                        ""});
    }
    loaded.similarity = read_similarity_matrix(matrices[0], run);
    return loaded;
  }
  if (answers.empty() && snapshots.size() == 1 && options.repeats == Repeats::sum) {
    loaded.similarity = read_snapshot(snapshots[0]);
    return loaded;
  }
  Accumulator total;
  const bool keep = options.keep_answers && snapshots.empty();
  if (!answers.empty() && (keep || options.repeats != Repeats::sum)) {
    std::optional<double> agreement;
    ReducedAnswers counted = add_up_stored(answers, options, run, total, loaded.report, agreement);
    loaded.majority_ties = counted.ties;
    if (keep) loaded.answers = KeptAnswers{std::move(counted.answers), {}, agreement};
  } else if (!answers.empty()) {
    loaded.report = add_up(answers, options, run, total);
  }
  std::size_t listed = loaded.report.listed_items;
  for (const InputFile& file : snapshots) {
    if (options.repeats != Repeats::sum) {
      throw InputError(
          {{file.path},
           fmt::format("a snapshot together with --repeats {}", to_string(options.repeats)),
           "files of answers: a snapshot does not know which questions it holds",
           ""});
    }
    const SimilarityMatrix snapshot = read_snapshot(file);
    // Snapshots of the same items keep their order, which an items file may have given.
    if (total.items.size() == 0) listed = snapshot.size();
    if (snapshot.items != total.items.names() && total.items.size() > 0) listed = 0;
    total.merge(snapshot, file.path);
  }
  loaded.similarity = total.snapshot(listed, run);
  loaded.similarity.repeats = options.repeats;
  if (loaded.answers) loaded.answers->row_of = rows_of(total.items, loaded.similarity);
  if (loaded.similarity.comparisons == 0) {
    throw InputError({{inputs[0].path},
                      "no answer that can be used",
                      "at least one",
                      "See why: tertium check " + inputs[0].path});
  }
  return loaded;
}

}  // namespace tertium
