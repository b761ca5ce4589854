#include "tertium/planning/theory.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/certificate/certify.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/threads.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/partition/labeling.hpp"
#include "tertium/partition/search.hpp"
#include "tertium/report/theory_report.hpp"
#include "tertium/similarity/accumulator.hpp"
#include "tertium/similarity/precomputed.hpp"
#include "tertium/similarity/snapshot.hpp"

namespace tertium::cli {
namespace {

struct TheoryFlags {
  InputFlags input;
  std::string truth;
  LabelColumns columns;
  std::optional<int> clusters;
  std::optional<double> epsilon;
  std::optional<double> delta;
  bool json = false;
};

/// The similarity, and the answers if the inputs hold any.
struct Material {
  SimilarityMatrix similarity;
  std::vector<Answer> answers;
  std::vector<std::string> names;  // of the items in the answers
};

Material load(const TheoryFlags& flags) {
  const LoadOptions options = finish(flags.input);
  const std::vector<InputFile> files = expand_inputs(flags.input.files());
  const bool may_be_matrix = some_flag_set(options.read).empty();
  const auto has_no_answers = [&](const InputFile& file) {
    return options.matrix || is_snapshot(file) || (may_be_matrix && is_similarity_matrix(file));
  };
  ProgressLine line("reading");
  Material material;
  if (std::any_of(files.begin(), files.end(), has_no_answers)) {
    material.similarity = load_similarity(files, options, line.callback()).similarity;
    return material;
  }
  StoredAnswers stored;
  AnswerSink* sink = &stored;
  const ReadReport report = read_answers(files, options.read, {&sink, 1}, line.callback());
  Accumulator sums;
  sums.items = stored.items;
  if (options.repeats == Repeats::sum) {
    for (const Answer& answer : stored.answers()) sums.add(answer);
  } else {
    for (const Answer& answer : reduce_repeats(stored.answers(), options.repeats).answers) {
      sums.add(answer);
    }
  }
  material.similarity = sums.snapshot(report.listed_items);
  material.answers = stored.answers();
  material.names = stored.items.names();
  return material;
}

Labels labels_from(const TheoryFlags& flags, const std::vector<std::string>& items) {
  const Labeling truth = read_labeling(flags.truth, flags.columns);
  std::unordered_map<std::string, std::int32_t> clusters;
  std::unordered_map<std::string, std::int32_t> cluster_of;
  for (std::size_t i = 0; i < truth.items.size(); ++i) {
    const auto number = static_cast<std::int32_t>(clusters.size());
    cluster_of[truth.items[i]] = clusters.emplace(truth.labels[i], number).first->second;
  }
  Labels labels;
  for (const std::string& item : items) {
    const auto found = cluster_of.find(item);
    if (found == cluster_of.end()) {
      throw InputError({{flags.truth},
                        "no label for the item " + in_quotes(item),
                        "a label for every item in the answers",
                        ""});
    }
    labels.push_back(found->second);
  }
  return in_order_of_size(labels);
}

/// Labels by number of the item in the answers; -1 for names without one.
Labels labels_by_answer_item(const Material& material, const Labels& labels) {
  std::unordered_map<std::string, std::int32_t> label_of;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    label_of[material.similarity.items[i]] = labels[i];
  }
  Labels result;
  for (const std::string& name : material.names) {
    const auto found = label_of.find(name);
    result.push_back(found == label_of.end() ? -1 : found->second);
  }
  return result;
}

void check(const TheoryFlags& flags) {
  const auto refuse = [](const std::string& found, const char* expected) {
    throw InputError({{}, found, expected, ""});
  };
  if (flags.truth.empty() == !flags.clusters) {
    refuse(flags.clusters ? "--truth together with --clusters" : "neither --truth nor --clusters",
           "one of --truth FILE and --clusters K");
  }
  for (const auto& [flag, value] :
       {std::pair{"--epsilon", flags.epsilon}, {"--delta", flags.delta}}) {
    if (value && !(*value > 0 && *value <= 1)) {
      refuse(fmt::format("{} {}", flag, *value), "a number above 0 and at most 1");
    }
  }
  if (flags.epsilon.has_value() != flags.delta.has_value()) {
    refuse(flags.epsilon ? "--epsilon without --delta" : "--delta without --epsilon", "both");
  }
}

/// The expected similarity is known for triplets and quadruplets.
bool has_expectation(const Material& material) {
  return material.similarity.kind != SimilarityKind::precomputed &&
         std::all_of(material.answers.begin(), material.answers.end(), [](const Answer& answer) {
           return answer.kind == QuestionKind::triplet || answer.kind == QuestionKind::quadruplet;
         });
}

/// Expectations need epsilon and delta: those given, else those estimated.
void add_expectations(TheoryReport& report, const TheoryFlags& flags,
                      const SymmetricRows& similarity, const Labels& labels) {
  double product = 0;
  if (flags.epsilon) {
    report.used_epsilon = *flags.epsilon;
    report.used_delta = *flags.delta;
    product = *flags.epsilon * *flags.delta;
  } else if (report.epsilon_delta && report.epsilon_delta->value > 0) {
    product = std::min(1.0, report.epsilon_delta->value);
    // Without repeated questions only the product is known; the theorem's number of answers
    // depends on nothing else.
    report.used_epsilon =
        report.epsilon ? std::clamp(report.epsilon->value, product, 1.0) : std::sqrt(product);
    report.used_delta = product / report.used_epsilon;
  } else {
    return;
  }
  const double rate = sampling_rate(report.kind, report.comparisons, report.items);
  report.expected = expected_similarity(report.kind, report.sizes, rate, product);
  report.at_expected = proposition_interval(similarity, labels, *report.expected);
  report.theorem =
      theorem_conditions(report.items, report.sizes.back(), static_cast<double>(report.comparisons),
                         report.used_epsilon, report.used_delta);
}

void run(const TheoryFlags& flags) {
  check(flags);
  const Material material = load(flags);
  const SimilarityMatrix& matrix = material.similarity;
  const SymmetricRows similarity(matrix, resolve_threads(flags.input.options.threads));
  TheoryReport report;
  Labels labels;
  {
    ProgressLine line("proving");
    const auto keep_going = [&] { return line.show("the partition"); };
    if (flags.clusters) {
      if (*flags.clusters < 1 || static_cast<std::size_t>(*flags.clusters) > matrix.size()) {
        throw InputError({{},
                          fmt::format("--clusters {}", *flags.clusters),
                          fmt::format("1 to {}, the number of items", matrix.size()),
                          ""});
      }
      SearchOptions search;
      search.keep_going = keep_going;
      labels = search_partition(similarity, *flags.clusters, search).labels;
      report.fitted = true;
    } else {
      labels = labels_from(flags, matrix.items);
    }
    report.certificate = certify(similarity, labels, {.keep_going = keep_going});
  }
  report.items = matrix.size();
  report.kind = matrix.kind;
  report.comparisons = matrix.comparisons;
  report.sizes.assign(static_cast<std::size_t>(count_clusters(labels)), 0);
  for (const std::int32_t label : labels) ++report.sizes[static_cast<std::size_t>(label)];
  report.means = block_means(similarity, labels);
  report.proposition = proposition_interval(similarity, labels, report.means);
  report.epsilon = estimate_epsilon(material.answers);
  report.epsilon_delta =
      estimate_epsilon_delta(material.answers, labels_by_answer_item(material, labels));
  if (has_expectation(material)) {
    add_expectations(report, flags, similarity, labels);
  } else if (flags.epsilon) {
    throw InputError({{},
                      "--epsilon and --delta with other answers than triplets or quadruplets",
                      "triplets or quadruplets: the expected similarity is known for them",
                      ""});
  }
  if (flags.json) {
    fmt::print("{}\n", theory_as_json(report));
  } else {
    fmt::print("{}", theory_as_text(report));
  }
}

}  // namespace

void add_theory(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "theory",
      "What the paper's theory says about answers with known clusters, next to the certificate");
  const auto flags = std::make_shared<TheoryFlags>();
  add_input_flags(*command, flags->input, Sums::yes);
  command->add_option("--truth", flags->truth, "File with the clusters: columns item, cluster")
      ->type_name("FILE");
  command->add_option("--item", flags->columns.item, "Its column of items")->type_name("COLUMN");
  command->add_option("--label", flags->columns.label, "Its column of clusters")
      ->type_name("COLUMN");
  command->add_option("--clusters", flags->clusters, "Instead: find so many clusters first")
      ->type_name("K");
  command->add_option("--epsilon", flags->epsilon, "Of the crowd, if it is known; with --delta")
      ->type_name("E");
  command->add_option("--delta", flags->delta, "Of the items, if it is known; with --epsilon")
      ->type_name("D");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
