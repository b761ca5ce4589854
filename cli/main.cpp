#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "cli/call_errors.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/restart.hpp"
#include "cli/standard_streams.hpp"
#include "tertium/core/utf8.hpp"
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

int finish_output(int code) {
  return tertium::cli::standard_output_arrived() ? code : tertium::cli::bad_input;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tertium::cli;
  using tertium::internal::escaped;
  prepare_standard_streams();
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
  add_embed(app);
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
    return finish_output(success);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      app.exit(error);
      return finish_output(success);
    }
    complain(call_error_text(app, error));
    return bad_input;
  } catch (const Refused& error) {
    complain("refused: " + escaped(error.what()));
    return finish_output(refused);
  } catch (const tertium::InputError& error) {
    complain(error.what());
    return bad_input;
  } catch (const tertium::Cancelled& error) {
    complain(error.what());
    return stopped;
  } catch (const std::bad_alloc&) {
    complain("not enough memory for this input");
    return bad_input;
  } catch (const std::exception& error) {
    // Printing throws, too, when nobody takes what is printed.
    if (std::ferror(stdout) != 0 || std::ferror(stderr) != 0) return finish_output(bad_input);
    complain("internal error: " + escaped(error.what()));
    return internal_error;
  }
}
