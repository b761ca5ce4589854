#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/call_errors.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/restart.hpp"
#include "tertium/error.hpp"
#include "tertium/version.hpp"

namespace {

constexpr const char* footer =
    "Exit codes: 0 success, 1 internal error, 2 bad input or flags, 3 certificate refused, "
    "130 stopped.\n"
    "\n"
    "Examples:\n"
    "  tertium check answers.csv\n"
    "  tertium cluster answers.csv -o results\n"
    "  tertium agreement results/labels.csv truth.csv\n"
    "  tertium help cluster";

/// Output that nobody could take (a full disk) is a failure.
int finish_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return tertium::cli::success;
  fmt::print(stderr,
             "tertium: standard output: found that it cannot be written ({}); expected a place "
             "with room\n",
             std::strerror(errno));
  return tertium::cli::bad_input;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tertium::cli;
  restart_with_better_blas(argv);
  CLI::App app{
      "tertium finds groups among things from human comparisons (\"a is more like b than like "
      "c\")."};
  app.name("tertium");
  app.footer(footer);
  app.formatter(help_formatter(help_width()));
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("-V,--version", std::string(tertium::version), "Print the version and exit");
  app.require_subcommand(1);
  add_cluster(app);
  add_check(app);
  add_similarity(app);
  add_sdp(app);
  add_verify(app);
  add_agreement(app);
  add_simulate(app);
  add_plan(app);
  add_theory(app);
  add_help(app);
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->group("Commands");
  }
  try {
    app.parse(argc, argv);
    return finish_output();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      app.exit(error);
      return finish_output();
    }
    fmt::print(stderr, "tertium: {}\n", call_error_text(app, error));
    return bad_input;
  } catch (const Refused& error) {
    fmt::print(stderr, "tertium: refused: {}\n", error.what());
    const int written = finish_output();
    return written == success ? refused : written;
  } catch (const tertium::InputError& error) {
    fmt::print(stderr, "tertium: {}\n", error.what());
    return bad_input;
  } catch (const tertium::Cancelled& error) {
    fmt::print(stderr, "tertium: {}\n", error.what());
    return stopped;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "tertium: not enough memory for this input\n");
    return bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tertium: internal error: {}\n", error.what());
    return internal_error;
  }
}
