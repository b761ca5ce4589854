#include "tertium/plan.hpp"

#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/model_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/core/number.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/core/output_guard.hpp"
#include "tertium/core/unknown_value.hpp"
#include "tertium/error.hpp"
#include "tertium/report.hpp"
#include "tertium/simulate.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct PlanFlags {
  ModelFlags model;
  std::string answers;
  std::string goal = "exact";
  double confidence = 0.95;
  int runs = 200;
  std::string svg;
  OutputFlags output;
};

Goal parse_goal(const std::string& text) {
  if (text == "exact") return {};
  const std::string prefix = "ari=";
  const auto index =
      text.starts_with(prefix) ? parse_number(text.substr(prefix.size())) : std::optional<double>();
  if (!index || !(*index > 0 && *index <= 1)) {
    throw unknown_value("--goal", text, {"exact"}, "exact, or ari=A with A above 0 and at most 1");
  }
  return {*index};
}

RecoveryStudy study_of(const PlanFlags& flags) {
  if (flags.runs < 20 || flags.runs > 100'000) {
    throw InputError({{}, fmt::format("--runs {}", flags.runs), "20 to 100000", ""});
  }
  RecoveryStudy study;
  study.model = planted_model(flags.model);
  study.survey = survey_without_answers(flags.model);
  study.runs = flags.runs;
  return study;
}

void run(PlanFlags& flags) {
  PlanReport report;
  report.goal = parse_goal(flags.goal);
  report.confidence = flags.confidence;
  report.study = study_of(flags);
  const bool reverse = !flags.answers.empty();
  if (reverse && !flags.svg.empty()) {
    throw InputError({{}, "--svg with --answers", "one of them: one number has no curve", ""});
  }
  if (!flags.svg.empty()) OutputGuard(flags.output.force).check("--svg", flags.svg, FileKind::svg);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, checked_threads(flags.model.threads)));
  if (reverse) {
    const std::uint64_t items = checked_count("--items", *flags.model.items);
    const std::uint64_t answers =
        parse_answer_count(flags.answers, static_cast<double>(items),
                           static_cast<double>(report.study.model.sizes.size()),
                           count_questions(report.study.survey.kind, items));
    report.plan.curve = {simulate_point(report.study, report.goal, answers, progress)};
  } else {
    report.plan = plan_answers(report.study, {report.goal, report.confidence}, progress);
  }
  line.clear();
  if (!flags.svg.empty()) {
    OutputFile file(flags.svg);
    file.write(plan_as_svg(report));
    file.commit();
    if (flags.svg == "-") return;
  }
  if (flags.output.quiet) return;
  if (flags.output.json) {
    fmt::print("{}\n", plan_as_json(report));
  } else {
    fmt::print("{}", reverse ? expectation_as_text(report) : plan_as_text(report));
  }
}

}  // namespace

void add_plan(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "plan",
      "How many answers are needed to find the clusters, or what a number of answers gives");
  const auto flags = std::make_shared<PlanFlags>();
  const char* question = "Question";
  command
      ->add_option("--goal", flags->goal,
                   "What counts as success: exact (every item in its cluster) or ari=A (adjusted "
                   "Rand index of at least A)")
      ->type_name("GOAL")
      ->capture_default_str()
      ->group(question);
  command->add_option("--confidence", flags->confidence, "The chance of success that is asked for")
      ->type_name("P")
      ->capture_default_str()
      ->group(question);
  command
      ->add_option("--answers", flags->answers,
                   "The reverse question: what does this number of answers give? A number, a rate "
                   "or a formula")
      ->type_name("M")
      ->group(question);
  command->add_option("--runs", flags->runs, "Surveys to simulate at each number of answers")
      ->type_name("N")
      ->capture_default_str()
      ->group(question);
  add_model_flags(*command, flags->model);
  add_file(*command, "--svg", flags->svg, "Write the curve of success against answers")
      ->group("Output");
  add_report_flags(*command, flags->output);
  add_force_flag(*command, flags->output);
  command->footer(
      "Examples:\n"
      "  tertium plan --items 60 --clusters 4 --epsilon 0.6 --delta 0.5\n"
      "  tertium plan --items 60 --clusters 4 --answers 3000\n"
      "  tertium plan --items 100 --clusters 5 --goal ari=0.9 --svg plan.svg");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
