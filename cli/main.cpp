#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "tertium/core/error.hpp"
#include "tertium/version.hpp"

namespace {

constexpr const char* footer =
    "Exit codes: 0 success, 1 internal error, 2 bad input or flags, 130 stopped.\n"
    "Examples:\n"
    "  tertium check answers.csv\n"
    "  tertium similarity answers.csv -o answers.sim\n"
    "  tertium agreement mine.csv truth.csv";

}  // namespace

int main(int argc, char** argv) {
  using namespace tertium::cli;
  CLI::App app{
      "tertium finds groups among things from human comparisons\n"
      "(\"a is more like b than like c\")."};
  app.name("tertium");
  app.footer(footer);
  app.set_version_flag("--version", std::string(tertium::version));
  app.require_subcommand(1);
  add_check(app);
  add_similarity(app);
  add_agreement(app);
  try {
    app.parse(argc, argv);
    return success;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    fmt::print(stderr, "tertium: {}\nTry 'tertium --help' or 'tertium COMMAND --help'.\n",
               error.what());
    return bad_input;
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
