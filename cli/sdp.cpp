#include "tertium/sdp/sdp.hpp"

#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/json_text.hpp"
#include "cli/terminal.hpp"
#include "tertium/comparisons/npy.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/output_file.hpp"
#include "tertium/report/sdp_report.hpp"

namespace tertium::cli {
namespace {

struct SdpFlags {
  InputFlags input;
  std::optional<int> clusters;
  std::optional<double> lambda;
  SdpOptions options;
  std::string save_x;
  std::string save_dual;
  bool json = false;
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

/// Says what would be needed before anything is allocated.
void check_memory(std::size_t items) {
  const double needed = sdp_memory(static_cast<Eigen::Index>(items));
  const double available =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed > available) {
    throw InputError({{},
                      fmt::format("{} items, which need {:.1f} GB", items, needed / 1e9),
                      fmt::format("at most the {:.1f} GB of this machine", available / 1e9),
                      ""});
  }
}

void save_matrix(const Eigen::MatrixXd& matrix, const std::string& path) {
  if (path.empty()) return;
  OutputFile file(path);
  const auto size = static_cast<std::uint64_t>(matrix.rows());
  file.write(npy_header("<f8", size, size));
  // Symmetric: columns are rows.
  file.write({reinterpret_cast<const char*>(matrix.data()), size * size * sizeof(double)});
  file.commit();
}

void run(SdpFlags& flags) {
  const LoadOptions load = finish(flags.input);
  const SdpProgram program = program_of(flags);
  LoadedSimilarity loaded;
  {
    ProgressLine line("reading");
    loaded = load_similarity(expand_inputs(flags.input.files()), load, line.callback());
  }
  check_memory(loaded.similarity.size());
  SdpResult result;
  {
    ProgressLine line("solving");
    flags.options.progress = [&](const SdpProgress& state) {
      return line.show(fmt::format("{} iterations, gap {:.1e}", state.iterations, state.gap));
    };
    result = solve_sdp(Eigen::MatrixXd(to_eigen(loaded.similarity)), program, flags.options);
  }
  if (result.status == SdpStatus::stopped) throw Cancelled();
  save_matrix(result.x, flags.save_x);
  save_matrix(result.dual, flags.save_dual);
  if (flags.json) {
    fmt::print("{}\n", json_text(sdp_as_json(result)));
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
  add_input_flags(*command, flags->input, Sums::yes);
  command->add_option("--clusters", flags->clusters, "SDP-k: the number of clusters")
      ->type_name("K");
  command->add_option("--lambda", flags->lambda, "SDP-lambda: the weight of the trace")
      ->type_name("L");
  command->add_option("--tolerance", flags->options.tolerance, "Stop at this relative gap")
      ->capture_default_str();
  command
      ->add_option("--most-iterations", flags->options.most_iterations,
                   "Stop after so many iterations")
      ->capture_default_str();
  command->add_option("--most-seconds", flags->options.most_seconds, "Stop after so many seconds");
  command->add_option("--save-x", flags->save_x, "Write the feasible X (.npy)")->type_name("FILE");
  command->add_option("--save-dual", flags->save_dual, "Write the N that proves the bound (.npy)")
      ->type_name("FILE");
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
