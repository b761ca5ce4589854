#include "tertium/simulate.hpp"

#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/model_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/core/output_guard.hpp"
#include "tertium/core/unknown_value.hpp"
#include "tertium/error.hpp"
#include "tertium/reading/byte_source.hpp"
#include "tertium/report.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct SimulateFlags {
  ModelFlags model;
  std::string answers;
  std::string points;
  std::string similarity;
  std::string path;
  std::string truth;
  double read_limit = default_read_limit_in_mb;
  OutputFlags output;
};

std::uint64_t answer_count(const SimulateFlags& flags, QuestionKind kind, std::uint64_t items,
                           std::size_t clusters) {
  return parse_answer_count(flags.answers, static_cast<double>(items),
                            static_cast<double>(clusters), count_questions(kind, items));
}

Simulation from_points(const SimulateFlags& flags, const CLI::App& command, Run& run) {
  for (const char* flag : {"--items", "--clusters", "--sizes", "--delta", "--distribution",
                           "--as-printed", "--truth"}) {
    if (command.count(flag) > 0) {
      throw InputError({{}, fmt::format("--points with {}", flag), "one of them", ""});
    }
  }
  const std::string name = flags.similarity.empty() ? "gaussian" : flags.similarity;
  const auto similarity = parse_point_similarity(name);
  if (!similarity) throw unknown_value("--similarity", name, {"gaussian", "cosine"});
  Survey survey = survey_without_answers(flags.model);
  const InputFile file(flags.points, read_limit_in_bytes(flags.read_limit));
  stop_while_waiting({file}, run);
  Points points = read_points(file, *similarity);
  survey.answers = answer_count(flags, survey.kind, points.count, 0);
  return {std::move(points), survey};
}

Simulation from_model(const SimulateFlags& flags) {
  if (!flags.similarity.empty()) {
    throw InputError({{}, "--similarity without --points", "both", ""});
  }
  const PlantedModel model = planted_model(flags.model);
  Survey survey = survey_without_answers(flags.model);
  survey.answers = answer_count(flags, survey.kind, checked_count("--items", *flags.model.items),
                                model.sizes.size());
  return {model, survey};
}

void check_outputs(const SimulateFlags& flags) {
  OutputGuard guard(flags.output.force);
  guard.protect(flags.points);
  guard.check("-o", flags.path, FileKind::answers);
  if (!flags.truth.empty()) guard.check("--truth", flags.truth, FileKind::planted_clusters);
}

void run(const SimulateFlags& flags, const CLI::App& command) {
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, checked_threads(flags.model.threads)));
  check_outputs(flags);
  const Simulation simulation =
      flags.points.empty() ? from_model(flags) : from_points(flags, command, progress);
  const SimulationFiles files{flags.path, flags.truth};
  write_simulation(simulation, files, progress);
  line.clear();
  if (flags.output.quiet || flags.path == "-" || flags.truth == "-") return;
  fmt::print("{}", flags.output.json ? simulation_as_json(simulation, files) + "\n"
                                     : simulation_as_text(simulation, files));
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
      ->type_name("M")
      ->group(survey_group);
  add_model_flags(*command, flags->model);
  const char* points = "Instead of the model";
  add_file(*command, "--points", flags->points,
           "A table of coordinates, a row for each item (CSV or npy)")
      ->group(points);
  command->add_option("--similarity", flags->similarity, "Of the points: gaussian or cosine")
      ->type_name("NAME")
      ->group(points);
  const char* output = "Output";
  add_file(*command, "-o,--output", flags->path, "Where to write the answers (CSV); - for stdout")
      ->required()
      ->group(output);
  add_file(*command, "--truth", flags->truth, "Where to write the planted clusters (CSV)")
      ->group(output);
  add_report_flags(*command, flags->output);
  add_read_limit(*command, flags->read_limit);
  add_force_flag(*command, flags->output);
  command->footer(
      "Examples:\n"
      "  tertium simulate --items 60 --clusters 4 --answers 5000 -o answers.csv\n"
      "  tertium simulate --items 1000 --clusters 5 --answers 'n*ln(n)^3' --seed 7 -o a.csv "
      "--truth "
      "t.csv\n"
      "  tertium simulate --points x.npy --answers 10000 -o answers.csv");
  command->callback([flags, command] { run(*flags, *command); });
}

}  // namespace tertium::cli
