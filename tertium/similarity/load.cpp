#include "tertium/similarity/load.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "tertium/answers/answer_columns.hpp"
#include "tertium/answers/data_check.hpp"
#include "tertium/answers/stored_answers.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/reading/read_options.hpp"
#include "tertium/run.hpp"
#include "tertium/similarity/keeping_accumulator.hpp"
#include "tertium/similarity/precomputed.hpp"
#include "tertium/similarity/snapshot.hpp"

namespace tertium::internal {
namespace {

/// The inputs by what they are.
struct SortedInputs {
  std::vector<InputFile> answers;
  std::vector<InputFile> matrices;
  std::vector<InputFile> snapshots;
};

SortedInputs sort_inputs(const std::vector<InputFile>& inputs, const LoadOptions& options,
                         Run& run) {
  stop_while_waiting(inputs, run);
  SortedInputs sorted;
  const std::vector<SetFlag> flags = flags_set(options.read);
  for (const InputFile& file : expand_inputs(inputs)) {
    if (!holds_sums(file, options)) {
      sorted.answers.push_back(file);
    } else if (is_snapshot(file)) {
      sorted.snapshots.push_back(file);
    } else {
      sorted.matrices.push_back(file);
    }
  }
  if (sorted.answers.empty() && !flags.empty()) {
    throw InputError({{inputs[0].path},
                      fmt::format("{} and no file of answers", flags.front().flag),
                      "files of answers for such a flag: sums do not remember rows",
                      ""});
  }
  if (!sorted.matrices.empty() &&
      sorted.matrices.size() + sorted.answers.size() + sorted.snapshots.size() > 1) {
    throw InputError({{sorted.matrices[0].path},
                      "a similarity matrix among several inputs",
                      "a similarity matrix alone: it does not add up with answers",
                      ""});
  }
  return sorted;
}

/// Throws InputError if a rule is named that cannot have made what these inputs hold.
void check_rule(const SimilarityRule* rule, const SortedInputs& inputs) {
  if (rule == nullptr) return;
  if (!inputs.matrices.empty()) {
    throw InputError({{inputs.matrices[0].path},
                      fmt::format("--similarity {} for a matrix", rule->name),
                      "files of answers",
                      "Leave out --similarity"});
  }
  if (!rule->additive && !inputs.snapshots.empty()) {
    throw InputError({{inputs.snapshots[0].path},
                      fmt::format("a snapshot together with --similarity {}", rule->name),
                      fmt::format("files of answers: {} is not made of sums", rule->title),
                      ""});
  }
}

/// For every item id, its row in the similarity.
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

/// Sinks that read at the same time, one for each thread, and add up to one similarity.
template <class Sink>
struct ParallelSinks {
  std::vector<std::unique_ptr<Sink>> sinks;
  std::vector<std::vector<ItemId>> ids_in_total;  // of the items of every sink

  ReadReport read(const std::vector<InputFile>& files, const ReadOptions& options,
                  Accumulator& total, Run& run) {
    std::vector<AnswerSink*> targets;
    for (int i = 0; i < run.threads(); ++i) {
      sinks.push_back(std::make_unique<Sink>(total));
      targets.push_back(sinks.back().get());
    }
    ReadReport report = read_answers(files, options, targets, run);
    for (const auto& sink : sinks) ids_in_total.push_back(total.merge(*sink, run));
    return report;
  }
};

KeptAnswers listed(std::vector<AnswerColumns> parts, const SimilarityMatrix& similarity, Run& run) {
  run.say("sorting the answers");
  return {list_comparisons(std::move(parts), similarity.size(), &similarity, run), {}, {}, nullptr};
}

void set_agreement(KeptAnswers& kept, std::optional<double> agreement, QuestionKind kind) {
  kept.repeat_agreement = agreement;
  if (agreement) kept.prediction_ceiling = prediction_ceiling(*agreement, kind);
}

KeptAnswers list_kept(ParallelSinks<KeepingAccumulator>& read, const ItemTable& items,
                      const SimilarityMatrix& similarity, Run& run) {
  const std::vector<std::uint32_t> row_of = rows_of(items, similarity);
  std::vector<KeptBySink> by_sink;
  for (std::size_t s = 0; s < read.sinks.size(); ++s) {
    std::vector<std::uint32_t> rows;
    for (const ItemId id : read.ids_in_total[s]) rows.push_back(row_of[id]);
    by_sink.push_back(
        {read.sinks[s]->kept.take_parts(), std::move(rows), read.sinks[s]->participants});
  }
  std::vector<AnswerColumns> parts = put_together(std::move(by_sink), run);
  const auto first = std::ranges::find_if(parts, [](const auto& part) { return part.size() > 0; });
  const QuestionKind kind = first->kind_of(0);
  KeptAnswers kept = listed(std::move(parts), similarity, run);
  set_agreement(kept, repeat_agreement(kept.list.given, run), kind);
  return kept;
}

/// Answers read all at once, to see which are repeats.
struct CountedAnswers {
  ReducedAnswers reduced;
  std::optional<double> agreement;  // among all of them
};

CountedAnswers add_up_counted(const std::vector<InputFile>& files, const LoadOptions& options,
                              Accumulator& total, ReadReport& report, Run& run) {
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  report = read_answers(files, options.read, {&sink, 1}, run);
  total.items = stored.items;
  CountedAnswers counted;
  if (options.keep_answers) counted.agreement = repeat_agreement(stored.answers());
  counted.reduced = reduce_repeats(stored.take_answers(), options.repeats);
  for (const Answer& answer : counted.reduced.answers) total.add(answer);
  return counted;
}

KeptAnswers list_counted(const CountedAnswers& counted, const ItemTable& items,
                         const SimilarityMatrix& similarity, Run& run) {
  std::vector<AnswerColumns> parts = {AnswerColumns(counted.reduced.answers)};
  parts[0].renumber(rows_of(items, similarity), {});
  KeptAnswers kept = listed(std::move(parts), similarity, run);
  set_agreement(kept, counted.agreement, counted.reduced.answers.front().kind);
  return kept;
}

/// A pair without a similarity links nobody: rules need not leave zeros out themselves.
IntegerTriangle without_zeros(const IntegerTriangle& built) {
  IntegerTriangle kept;
  kept.denominator = built.denominator;
  kept.row_start.push_back(0);
  for (std::size_t row = 0; row < built.size(); ++row) {
    for (std::size_t at = built.row_start[row]; at < built.row_start[row + 1]; ++at) {
      if (built.value[at] == 0) continue;
      kept.column.push_back(built.column[at]);
      kept.value.push_back(built.value[at]);
    }
    kept.row_start.push_back(kept.column.size());
  }
  return kept;
}

/// Adds a snapshot; `listed` is how many items come first, in their order.
void add_snapshot(const InputFile& file, Repeats repeats, Accumulator& total, std::size_t& listed) {
  if (repeats != Repeats::sum) {
    throw InputError({{file.path},
                      fmt::format("a snapshot together with --repeats {}", to_string(repeats)),
                      "files of answers: a snapshot does not know which questions it holds",
                      ""});
  }
  const SimilarityMatrix snapshot = read_snapshot(file);
  // Snapshots of the same items keep their order, which an items file may have given.
  if (total.items.size() == 0) listed = snapshot.size();
  if (snapshot.items != total.items.names() && total.items.size() > 0) listed = 0;
  total.merge(snapshot, file.path);
}

}  // namespace

bool holds_sums(const InputFile& file, const LoadOptions& options) {
  return options.matrix || is_snapshot(file) ||
         (flags_set(options.read).empty() && is_similarity_matrix(file));
}

LoadedSimilarity load_by(const SimilarityRule* rule, const std::vector<InputFile>& inputs,
                         const LoadOptions& options, Run& run) {
  const auto [answers, matrices, snapshots] = sort_inputs(inputs, options, run);
  LoadedSimilarity loaded;
  loaded.inputs = inputs;
  loaded.options = options;
  check_rule(rule, {answers, matrices, snapshots});
  if (!matrices.empty()) {
    loaded.similarity = read_similarity_matrix(matrices[0], run);
    return loaded;
  }
  if (answers.empty() && snapshots.size() == 1 && options.repeats == Repeats::sum) {
    loaded.similarity = read_snapshot(snapshots[0]);
    if (rule != nullptr) check_questions(*rule, loaded.similarity.quadruplets);
    return loaded;
  }
  const bool build = rule != nullptr && !rule->additive;  // sums are not enough
  const bool keep = (options.keep_answers || build) && snapshots.empty();
  const bool counted = options.repeats != Repeats::sum;
  Accumulator total;
  ParallelSinks<KeepingAccumulator> keeping;
  CountedAnswers repeats;
  if (!answers.empty() && counted) {
    repeats = add_up_counted(answers, options, total, loaded.report, run);
  } else if (!answers.empty() && keep) {
    loaded.report = keeping.read(answers, options.read, total, run);
  } else if (!answers.empty()) {
    loaded.report = ParallelSinks<Accumulator>().read(answers, options.read, total, run);
  }
  std::size_t listed_items = loaded.report.listed_items;
  for (const InputFile& file : snapshots) add_snapshot(file, options.repeats, total, listed_items);
  loaded.similarity = total.snapshot(listed_items, run);
  loaded.similarity.repeats = options.repeats;
  loaded.majority_ties = repeats.reduced.ties;
  if (loaded.similarity.comparisons == 0) {
    throw InputError({{inputs[0].path},
                      "no answer that can be used",
                      "at least one",
                      "See why: tertium check " + inputs[0].path});
  }
  if (rule != nullptr) check_questions(*rule, loaded.similarity.quadruplets);
  if (!keep) return loaded;
  KeptAnswers kept = counted ? list_counted(repeats, total.items, loaded.similarity, run)
                             : list_kept(keeping, total.items, loaded.similarity, run);
  kept.rule = rule != nullptr ? rule : &default_rule(loaded.similarity.quadruplets);
  if (build) {
    run.say("building the similarity");
    static_cast<IntegerTriangle&>(loaded.similarity) =
        without_zeros(rule->build(kept.list, {}, run));
    loaded.similarity.rule = rule->name;
  }
  if (options.keep_answers) loaded.answers = std::make_shared<const KeptAnswers>(std::move(kept));
  return loaded;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

LoadedSimilarity load_similarity(const std::vector<InputFile>& inputs, const LoadOptions& options,
                                 Run& run) {
  const bool usual = options.similarity == "auto";
  return load_by(usual ? nullptr : &find_rule(options.similarity), inputs, options, run);
}

}  // namespace tertium
