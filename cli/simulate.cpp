#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/model_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/planted/answer_count.hpp"
#include "tertium/planted/write_answers.hpp"

namespace tertium::cli {
namespace {

struct SimulateFlags {
  ModelFlags model;
  std::string answers;
  std::string points;
  std::string similarity;
  std::string output;
  std::string truth;
  bool quiet = false;
};

std::uint64_t answer_count(const SimulateFlags& flags, QuestionKind kind, std::uint64_t items,
                           std::size_t clusters) {
  return parse_answer_count(flags.answers, static_cast<double>(items),
                            static_cast<double>(clusters), count_questions(kind, items));
}

SimulatedAnswers from_points(const SimulateFlags& flags, const CLI::App& command) {
  for (const char* flag : {"--items", "--clusters", "--sizes", "--delta", "--distribution",
                           "--as-printed", "--truth"}) {
    if (command.count(flag) > 0) {
      throw InputError({{}, fmt::format("--points with {}", flag), "one of them", ""});
    }
  }
  const std::string name = flags.similarity.empty() ? "gaussian" : flags.similarity;
  const auto similarity = parse_point_similarity(name);
  if (!similarity) {
    throw InputError({{}, "--similarity " + in_quotes(name), "gaussian or cosine", ""});
  }
  Survey survey = survey_without_answers(flags.model);
  Points points = read_points(flags.points, *similarity);
  survey.answers = answer_count(flags, survey.kind, points.count, 0);
  return {std::move(points), survey};
}

SimulatedAnswers from_model(const SimulateFlags& flags) {
  if (!flags.similarity.empty()) {
    throw InputError({{}, "--similarity without --points", "both", ""});
  }
  const PlantedModel model = planted_model(flags.model);
  Survey survey = survey_without_answers(flags.model);
  survey.answers = answer_count(flags, survey.kind, checked_count("--items", *flags.model.items),
                                model.sizes.size());
  return {model, survey};
}

void print_summary(const SimulateFlags& flags, const SimulatedAnswers& answers) {
  const auto line = [](std::string_view title, const std::string& value) {
    fmt::print("{:<18}{}\n", title, value);
  };
  const double questions = count_questions(answers.survey().kind, answers.items());
  line("items", fmt::format("{}", answers.items()));
  if (!answers.labels().empty()) {
    const LatentDistributions& latent = answers.distributions();
    line("distribution",
         fmt::format("{}, {} {:.6g}: a pair inside a cluster is more alike with probability {:.4f}",
                     to_string(latent.family),
                     latent.family == LatentFamily::beta ? "alpha" : "mean", latent.parameter,
                     chance_inside_is_larger(latent)));
  }
  line("answers", fmt::format("{} (there are {:.6g} different questions)", answers.survey().answers,
                              questions));
  line(
      "written",
      flags.output + (flags.truth.empty() ? "" : fmt::format(", the clusters in {}", flags.truth)));
}

void run(const SimulateFlags& flags, const CLI::App& command) {
  ProgressLine line;
  Run progress(run_options(line, checked_threads(flags.model.threads)));
  if (flags.output == flags.truth) {
    throw InputError({{flags.truth}, "one file for answers and truth", "two different files", ""});
  }
  const SimulatedAnswers answers =
      flags.points.empty() ? from_model(flags) : from_points(flags, command);
  // Both files first, so that neither appears if the other cannot be written.
  OutputFile file(flags.output);
  std::optional<OutputFile> truth;
  if (!flags.truth.empty()) truth.emplace(flags.truth);
  write_answers(answers, file, progress);
  line.clear();
  if (truth) {
    write_truth(answers, *truth);
    truth->commit();
  }
  file.commit();
  if (!flags.quiet && flags.output != "-" && flags.truth != "-") print_summary(flags, answers);
}

}  // namespace

void add_simulate(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "simulate", "Make answers from the paper's planted model, or from points with coordinates");
  const auto flags = std::make_shared<SimulateFlags>();
  command
      ->add_option("--answers", flags->answers,
                   "How many: a number, a rate (a share of all questions) or a formula in n and k "
                   "such as 'n*ln(n)^3'")
      ->required()
      ->type_name("M");
  add_model_flags(*command, flags->model);
  command
      ->add_option("--points", flags->points,
                   "Instead of planted clusters: a table of coordinates, a row for each item "
                   "(CSV or npy)")
      ->type_name("FILE");
  command->add_option("--similarity", flags->similarity, "Of the points: gaussian or cosine");
  command
      ->add_option("-o,--output", flags->output, "Where to write the answers (CSV); - for stdout")
      ->required()
      ->type_name("FILE");
  command->add_option("--truth", flags->truth, "Where to write the planted clusters (CSV)")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", flags->quiet, "Print nothing");
  command->callback([flags, command] { run(*flags, *command); });
}

}  // namespace tertium::cli
