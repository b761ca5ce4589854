#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/restart.hpp"
#include "tertium/core/error.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/version.hpp"

namespace {

constexpr const char* footer =
    "Exit codes: 0 success, 1 internal error, 2 bad input or flags, 3 certificate refused, "
    "130 stopped.\n"
    "Examples:\n"
    "  tertium cluster answers.csv -o results\n"
    "  tertium check answers.csv\n"
    "  tertium similarity answers.csv -o answers.sim\n"
    "  tertium agreement mine.csv truth.csv";

bool is_command(const CLI::App& app, const std::string& word) {
  const auto commands = app.get_subcommands(nullptr);
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->get_name() == word; });
}

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
      "tertium finds groups among things from human comparisons\n"
      "(\"a is more like b than like c\")."};
  app.name("tertium");
  app.footer(footer);
  app.set_version_flag("--version", std::string(tertium::version));
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
  try {
    app.parse(argc, argv);
    return finish_output();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      app.exit(error);
      return finish_output();
    }
    if (argc > 1 && argv[1][0] != '-' && !is_command(app, argv[1])) {
      fmt::print(stderr,
                 "tertium: found {}; expected a command: cluster, check, similarity, sdp, "
                 "verify, agreement, simulate, plan or theory\n",
                 tertium::in_quotes(argv[1]));
      return bad_input;
    }
    fmt::print(stderr, "tertium: {}\nTry 'tertium --help' or 'tertium COMMAND --help'.\n",
               error.what());
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
