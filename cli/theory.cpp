#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/agreement.hpp"
#include "tertium/error.hpp"
#include "tertium/plan.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/report.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct TheoryFlags {
  InputFlags input;
  std::string truth;
  LabelColumns columns;
  TheoryOptions options;
  OutputFlags output;
};

void run(const TheoryFlags& flags) {
  if (flags.truth.empty() == !flags.options.clusters) {
    throw InputError({{},
                      flags.options.clusters ? "--truth together with --clusters"
                                             : "neither --truth nor --clusters",
                      "one of --truth FILE and --clusters K",
                      ""});
  }
  validate(flags.options);
  LoadOptions load = finish(flags.input);
  std::vector<std::string> names = flags.input.inputs;
  names.push_back(flags.truth);
  check_standard_input(names);
  load.keep_answers = true;
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads));
  const LoadedSimilarity loaded =
      load_similarity(expand_inputs(flags.input.files()), load, progress);
  TheoryOptions options = flags.options;
  if (!flags.truth.empty()) {
    const InputFile file(flags.truth, load.read.read_limit);
    stop_while_waiting({file}, progress);
    const Labeling truth = read_labeling(file, flags.columns);
    options.labels = labels_in_order(truth, loaded.similarity.items, flags.truth);
  }
  const TheoryStudy study = study_theory(loaded, options, progress);
  line.clear();
  if (flags.output.quiet) return;
  fmt::print("{}", flags.output.json ? theory_as_json(study) + "\n" : theory_as_text(study));
}

}  // namespace

void add_theory(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "theory",
      "What the paper's theory says about answers with known clusters, next to the certificate");
  const auto flags = std::make_shared<TheoryFlags>();
  const char* clusters = "Clusters";
  add_file(*command, "--truth", flags->truth, "File with the clusters: columns item, cluster")
      ->group(clusters);
  command->add_option("--item", flags->columns.item, "Its column of items")
      ->type_name("COLUMN")
      ->group(clusters);
  command->add_option("--label", flags->columns.label, "Its column of clusters")
      ->type_name("COLUMN")
      ->group(clusters);
  command
      ->add_option("-k,--clusters", flags->options.clusters, "Instead: find so many clusters first")
      ->type_name("K")
      ->group(clusters);
  const char* noise = "Noise";
  command
      ->add_option("--epsilon", flags->options.epsilon,
                   "Of the crowd, if it is known; with --delta")
      ->type_name("E")
      ->group(noise);
  command
      ->add_option("--delta", flags->options.delta, "Of the items, if it is known; with --epsilon")
      ->type_name("D")
      ->group(noise);
  add_report_flags(*command, flags->output);
  add_similarity_flag(*command, flags->input);
  add_input_flags(*command, flags->input, Sums::yes);
  command->footer(
      "Examples:\n"
      "  tertium theory answers.csv --truth truth.csv\n"
      "  tertium theory answers.csv --clusters 4 --json");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
