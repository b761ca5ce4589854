#include "tertium/similarity/load.hpp"

#include <memory>

#include <fmt/format.h>

#include "tertium/core/error.hpp"
#include "tertium/core/threads.hpp"
#include "tertium/similarity/accumulator.hpp"
#include "tertium/similarity/precomputed.hpp"
#include "tertium/similarity/snapshot.hpp"

namespace tertium {
namespace {

ReadReport add_up(const std::vector<InputFile>& files, const LoadOptions& options,
                  const Progress& progress, Accumulator& total) {
  const int threads = resolve_threads(options.threads);
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
  ReadReport report = read_answers(files, options.read, sinks, progress);
  for (const auto& worker : workers) total.merge(*worker);
  return report;
}

/// Repeats need all answers at once.
ReadReport add_up_reduced(const std::vector<InputFile>& files, const LoadOptions& options,
                          const Progress& progress, Accumulator& total, std::uint64_t& ties) {
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  ReadReport report = read_answers(files, options.read, {&sink, 1}, progress);
  total.items = stored.items;
  const ReducedAnswers reduced = reduce_repeats(stored.answers(), options.repeats);
  for (const Answer& answer : reduced.answers) total.add(answer);
  ties = reduced.ties;
  return report;
}

}  // namespace

LoadedSimilarity load_similarity(const std::vector<InputFile>& inputs, const LoadOptions& options,
                                 const Progress& progress) {
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
    loaded.similarity = read_similarity_matrix(matrices[0]);
    return loaded;
  }
  if (answers.empty() && snapshots.size() == 1 && options.repeats == Repeats::sum) {
    loaded.similarity = read_snapshot(snapshots[0]);
    return loaded;
  }
  Accumulator total;
  if (!answers.empty()) {
    loaded.report = options.repeats == Repeats::sum
                        ? add_up(answers, options, progress, total)
                        : add_up_reduced(answers, options, progress, total, loaded.majority_ties);
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
  loaded.similarity = total.snapshot(listed, resolve_threads(options.threads));
  loaded.similarity.repeats = options.repeats;
  if (loaded.similarity.comparisons == 0) {
    throw InputError({{inputs[0].path},
                      "no answer that can be used",
                      "at least one",
                      "See why: tertium check " + inputs[0].path});
  }
  return loaded;
}

}  // namespace tertium
