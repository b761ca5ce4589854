#pragma once

#include <CLI/CLI.hpp>

namespace tertium::cli {

/// Exit codes of the program, listed in the README and in `tertium --help`.
enum ExitCode : int {
  success = 0,
  internal_error = 1,  // a bug: please report it
  bad_input = 2,       // the input or the flags cannot be used
  stopped = 130        // stopped by the user
};

/// Each adds one subcommand that runs when it is chosen.
void add_check(CLI::App& app);
void add_similarity(CLI::App& app);
void add_agreement(CLI::App& app);
void add_sdp(CLI::App& app);

}  // namespace tertium::cli
