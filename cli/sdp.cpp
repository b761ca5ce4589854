#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/certificate/certificate_file.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/error.hpp"
#include "tertium/problem/problem.hpp"
#include "tertium/reading/npy.hpp"
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
  std::string save_x;
  std::string save_dual;
  std::string certificate;
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

void save_matrix(const Eigen::MatrixXd& matrix, const std::string& path) {
  OutputFile file(path);
  const auto size = static_cast<std::uint64_t>(matrix.rows());
  file.write(npy_header("<f8", size, size));
  // Symmetric: columns are rows.
  file.write({reinterpret_cast<const char*>(matrix.data()), size * size * sizeof(double)});
  file.commit();
}

/// Where N goes: the name given, or beside the certificate.
std::string dual_path(const SdpFlags& flags) {
  return flags.save_dual.empty() ? flags.certificate + ".npy" : flags.save_dual;
}

/// A certificate names its dual file without a folder: both must lie in the same one.
void check_paths(const SdpFlags& flags) {
  if (flags.certificate.empty() || flags.save_dual.empty()) return;
  const auto folder = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().parent_path();
  };
  if (folder(flags.certificate) != folder(flags.save_dual)) {
    throw InputError({{flags.save_dual},
                      "a dual in another folder than the certificate",
                      "both files in one folder",
                      "leave out --save-dual to write it beside the certificate"});
  }
}

void check_outputs(const SdpFlags& flags, const std::vector<InputFile>& files) {
  check_paths(flags);
  OutputGuard guard(flags.output.force);
  protect_inputs(guard, files, flags.input);
  if (!flags.save_x.empty()) guard.check("--save-x", flags.save_x, FileKind::npy);
  if (!flags.certificate.empty()) {
    guard.check("--certificate", flags.certificate, FileKind::certificate);
  }
  // A certificate that turns out to be a bound needs the file of its dual.
  if (!flags.certificate.empty() || !flags.save_dual.empty()) {
    guard.check(flags.save_dual.empty() ? "--certificate" : "--save-dual", dual_path(flags),
                FileKind::npy);
  }
}

void save_certificate(const SdpFlags& flags, const SimilarityMatrix& similarity,
                      const SdpResult& result, const SdpProgram& program,
                      const Eigen::MatrixXd& dual) {
  std::string text;
  const FoundPartition& partition = *result.partition;
  if (result.status == SdpStatus::certified) {
    text = certificate_text(similarity, partition.labels, partition.value, *result.certificate);
  } else {
    BoundClaim bound;
    if (const auto* clusters = std::get_if<Clusters>(&program)) bound.clusters = clusters->count;
    if (const auto* lambda = std::get_if<Lambda>(&program)) bound.lambda = lambda->value;
    bound.upper_bound = result.upper_bound;
    bound.dual_file = std::filesystem::path(dual_path(flags)).filename().string();
    bound.dual = &dual;
    text = certificate_text(similarity, partition.labels, partition.value, bound);
  }
  OutputFile file(flags.certificate);
  file.write(text);
  file.commit();
}

void save(const SdpFlags& flags, const SimilarityMatrix& similarity, const SdpResult& result,
          const SdpProgram& program, Run& run) {
  if (!flags.save_x.empty()) save_matrix(result.point.matrix(), flags.save_x);
  const bool bound_claim = !flags.certificate.empty() && result.status != SdpStatus::certified;
  Eigen::MatrixXd dual;
  if (bound_claim || !flags.save_dual.empty()) {
    dual = dual_matrix(similarity, result, program, run);
    save_matrix(dual, dual_path(flags));
  }
  if (!flags.certificate.empty()) save_certificate(flags, similarity, result, program, dual);
}

void run(SdpFlags& flags) {
  const LoadOptions load = finish(flags.input);
  const SdpProgram program = program_of(flags);
  const std::vector<InputFile> files = expand_inputs(flags.input.files());
  check_outputs(flags, files);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads, flags.seed));
  const LoadedSimilarity loaded = load_similarity(files, load, progress);
  flags.options.keep_dual = !flags.save_dual.empty() || !flags.certificate.empty();
  const SdpResult result = solve_sdp(loaded.similarity, program, flags.options, progress);
  save(flags, loaded.similarity, result, program, progress);
  line.clear();
  if (flags.output.quiet) return;
  if (flags.output.json) {
    fmt::print("{}\n", sdp_as_json(result, loaded.similarity.items));
  } else {
    fmt::print("{}", sdp_as_text(result, flags.options.tolerance));
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
  add_file(*command, "--save-x", flags->save_x, "Write the feasible X (.npy)")->group(output);
  add_file(*command, "--save-dual", flags->save_dual, "Write the N that proves the bound (.npy)")
      ->group(output);
  add_file(*command, "--certificate", flags->certificate,
           "Write a file that `tertium verify` checks: that the partition is optimal, or else the "
           "bound, with its N beside")
      ->group(output);
  add_report_flags(*command, flags->output);
  add_force_flag(*command, flags->output);
  add_input_flags(*command, flags->input, Sums::yes);
  command->footer(
      "Examples:\n"
      "  tertium sdp answers.csv --clusters 4\n"
      "  tertium sdp answers.csv --clusters 4 --certificate proof.json\n"
      "  tertium sdp answers.sim --lambda 20 --save-x x.npy --json");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
