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

ReadReport add_up(const std::vector<std::string>& files, const LoadOptions& options,
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

}  // namespace

LoadedSimilarity load_similarity(const std::vector<std::string>& inputs, const LoadOptions& options,
                                 const Progress& progress) {
  LoadedSimilarity loaded;
  std::vector<std::string> answers;
  std::vector<std::string> matrices;
  for (const std::string& file : expand_inputs(inputs)) {
    if (is_snapshot(file)) {
      loaded.snapshots.push_back(file);
    } else if (options.matrix || (!options.read.kind && is_similarity_matrix(file))) {
      matrices.push_back(file);
    } else {
      answers.push_back(file);
    }
  }
  if (!matrices.empty()) {
    if (matrices.size() + answers.size() + loaded.snapshots.size() > 1) {
      throw InputError({{matrices[0]},
                        "a similarity matrix among several inputs",
                        "a similarity matrix alone: it does not add up with answers",
                        ""});
    }
    loaded.similarity = read_similarity_matrix(matrices[0]);
    return loaded;
  }
  Accumulator total;
  std::size_t listed = 0;
  if (options.repeats != Repeats::sum) {
    if (!loaded.snapshots.empty()) {
      throw InputError(
          {{loaded.snapshots[0]},
           fmt::format("a snapshot together with --repeats {}", to_string(options.repeats)),
           "files of answers: a snapshot does not know which questions it holds",
           ""});
    }
    StoredAnswers stored;
    AnswerSink* sink = &stored;
    loaded.report = read_answers(answers, options.read, {&sink, 1}, progress);
    total.items = stored.items;
    const ReducedAnswers reduced = reduce_repeats(stored.answers(), options.repeats);
    for (const Answer& answer : reduced.answers) total.add(answer);
    loaded.majority_ties = reduced.ties;
  } else if (!answers.empty()) {
    loaded.report = add_up(answers, options, progress, total);
  }
  listed = loaded.report.listed_items;
  for (const std::string& file : loaded.snapshots) {
    const SimilarityMatrix snapshot = read_snapshot(file);
    if (loaded.snapshots.size() == 1 && answers.empty()) {
      loaded.similarity = snapshot;
      return loaded;
    }
    total.merge(snapshot, file);
  }
  loaded.similarity = total.take(listed, resolve_threads(options.threads));
  loaded.similarity.repeats = options.repeats;
  return loaded;
}

}  // namespace tertium
