#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "cli/written_files.hpp"
#include "tertium/core/output_guard.hpp"
#include "tertium/error.hpp"
#include "tertium/report/sdp_report.hpp"

namespace tertium::cli {

using namespace internal;

namespace {

struct SdpFlags {
  InputFlags input;
  OutputFlags output;
  std::optional<int> clusters;
  std::optional<double> lambda;
  SdpOptions options;
  SdpFiles files;
  std::uint64_t seed = 1;
};

SdpProgram program_of(const SdpFlags& flags) {
  if (flags.clusters.has_value() == flags.lambda.has_value()) {
    throw InputError(
        {{},
         flags.clusters ? "--clusters together with --lambda" : "neither --clusters nor --lambda",
         "one of --clusters K and --lambda L",
         ""});
  }
  if (flags.clusters) return Clusters{*flags.clusters};
  return Lambda{*flags.lambda};
}

void check_outputs(const SdpFlags& flags, const std::vector<InputFile>& inputs) {
  const SdpFiles& files = flags.files;
  validate(files);
  OutputGuard guard(flags.output.force);
  protect_inputs(guard, inputs, flags.input);
  if (!files.x.empty()) guard.check("--save-x", files.x, FileKind::array);
  if (!files.certificate.empty()) {
    guard.check("--certificate", files.certificate, FileKind::certificate);
  }
  // A certificate that turns out to be a bound needs the file of its dual.
  if (!dual_file(files).empty()) {
    const bool beside = files.dual.empty();
    guard.check(beside ? "--certificate" : "--save-dual", dual_file(files),
                beside ? FileKind::npy : FileKind::array);
  }
}

void run(SdpFlags& flags) {
  const LoadOptions load = finish(flags.input);
  const SdpProgram program = program_of(flags);
  const std::vector<InputFile> files = expand_inputs(flags.input.files());
  check_outputs(flags, files);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads, flags.seed));
  const LoadedSimilarity loaded = load_similarity(files, load, progress);
  check_certifiable(flags.files, loaded.similarity);
  flags.options.keep_dual = !dual_file(flags.files).empty();
  const SdpResult result = solve_sdp(loaded.similarity, program, flags.options, progress);
  const std::vector<std::string> written =
      write_sdp(flags.files, loaded.similarity, result, program, progress);
  line.clear();
  if (flags.output.quiet) return;
  if (flags.output.json) {
    fmt::print("{}\n", sdp_as_json(result, loaded.similarity.items));
  } else {
    fmt::print("{}", sdp_as_text(result, flags.options.tolerance));
    print_written(written, flags.files.certificate, loaded);
  }
}

}  // namespace

void add_sdp(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "sdp",
      "Solve the paper's semidefinite programs, with a rigorous bound on how good the answer is");
  const auto flags = std::make_shared<SdpFlags>();
  const char* program = "Program";
  command->add_option("-k,--clusters", flags->clusters, "SDP-k: the number of clusters")
      ->type_name("K")
      ->group(program);
  command->add_option("--lambda", flags->lambda, "SDP-lambda: the weight of the trace")
      ->type_name("L")
      ->group(program);
  command->add_option("--tolerance", flags->options.tolerance, "Stop at this relative gap")
      ->type_name("GAP")
      ->capture_default_str()
      ->group(program);
  command
      ->add_option("--most-iterations", flags->options.most_iterations,
                   "Stop after so many iterations")
      ->type_name("N")
      ->capture_default_str()
      ->group(program);
  command->add_option("--most-seconds", flags->options.most_seconds, "Stop after so many seconds")
      ->type_name("T")
      ->group(program);
  add_seed(*command, flags->seed)->group(program);
  const char* output = "Output";
  add_file(*command, "--save-x", flags->files.x, "Write the feasible X (.npy)")->group(output);
  add_file(*command, "--save-dual", flags->files.dual, "Write the N that proves the bound (.npy)")
      ->group(output);
  add_file(*command, "--certificate", flags->files.certificate,
           "Write a file that `tertium verify` checks: that the partition is optimal, or else the "
           "bound, with its N beside")
      ->group(output);
  add_report_flags(*command, flags->output);
  add_force_flag(*command, flags->output);
  add_similarity_flag(*command, flags->input);
  add_input_flags(*command, flags->input, Sums::yes);
  command->footer(
      "Examples:\n"
      "  tertium sdp answers.csv --clusters 4\n"
      "  tertium sdp answers.csv --clusters 4 --certificate proof.json\n"
      "  tertium sdp answers.sim --lambda 20 --save-x x.npy --json");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
