#include "tertium/verify.hpp"

#include <memory>

#include <fmt/format.h>

#include "cli/checked_flags.hpp"
#include "cli/commands.hpp"
#include "cli/input_flags.hpp"
#include "cli/output_flags.hpp"
#include "cli/point_flags.hpp"
#include "cli/terminal.hpp"
#include "tertium/error.hpp"
#include "tertium/report.hpp"

namespace tertium::cli {

namespace {

struct VerifyFlags {
  InputFlags input;
  PointFlags points;
  std::string certificate;
  std::uint64_t seed = 0;
  CLI::Option* seed_given = nullptr;
  double gigabytes = 0;
  CLI::Option* memory_given = nullptr;
  OutputFlags output;
};

void run(const VerifyFlags& flags) {
  const LoadOptions options = finish(flags.input);
  std::vector<std::string> names = flags.input.inputs;
  names.push_back(flags.certificate);
  check_standard_input(names);
  ProgressLine line(flags.output.quiet);
  Run progress(run_options(line, flags.input.threads));
  VerifySources sources{flags.input.files(), options.read, options.repeats, options.matrix,
                        point_options(flags.points, options)};
  if (sources.points) only_table(sources.inputs);
  if (flags.seed_given->count() > 0) sources.options.seed = flags.seed;
  if (flags.memory_given->count() > 0) {
    if (!(flags.gigabytes > 0)) {
      throw InputError(
          {{}, fmt::format("--memory {}", flags.gigabytes), "gigabytes, more than 0", ""});
    }
    sources.options.most_memory = 1e9 * flags.gigabytes;
  }
  const Verification verification = verify_file(flags.certificate, sources, progress);
  line.clear();
  const bool json = flags.output.json && !flags.output.quiet;
  if (json) fmt::print("{}\n", verification_as_json(verification));
  if (!verification.verified) throw Refused(verification.reason);
  if (!json && !flags.output.quiet) fmt::print("{}", verification_as_text(verification));
}

}  // namespace

void add_verify(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "verify", "Check a certificate against the answers, trusting nothing in it");
  const auto flags = std::make_shared<VerifyFlags>();
  add_file(*command, "CERTIFICATE", flags->certificate, "What `sdp` or `cluster` has written")
      ->required();
  add_report_flags(*command, flags->output);
  add_point_flags(*command, flags->points);
  add_input_flags(*command, flags->input, Sums::yes);
  flags->seed_given =
      add_seed(*command, flags->seed)
          ->description(
              "Of an earlier run, to replay it. A seed that a forger may know proves "
              "nothing: without it, one is drawn from the system's entropy");
  flags->seed_given->default_str("");
  flags->memory_given =
      command
          ->add_option("--memory", flags->gigabytes,
                       "Gigabytes that the check may take; without it half of what there is")
          ->type_name("GB");
  command->footer(
      "Exit code 3: the certificate does not prove what it claims. How the answers are read "
      "(--kind,\n"
      "--repeats) is for you to say, not for the certificate; the verdict says it again.\n"
      "\n"
      "Examples:\n"
      "  tertium verify results/certificate.json answers.csv\n"
      "  tertium verify proof.json answers.csv --json\n"
      "  tertium verify results/certificate.json points.csv --points");
  command->callback([flags] { run(*flags); });
}

}  // namespace tertium::cli
