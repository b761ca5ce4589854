#pragma once

#include <stdexcept>

#include <CLI/CLI.hpp>

namespace tertium::cli {

/// Exit codes of the program, listed in the README and in `tertium --help`.
enum ExitCode : int {
  success = 0,
  internal_error = 1,  // a bug: please report it
  bad_input = 2,       // the input or the flags cannot be used
  refused = 3,         // a certificate was read and its claim was not verified
  stopped = 130        // stopped by the user
};

/// Ends the program with `refused`: a certificate does not prove what it claims, for this reason.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Each adds one subcommand that runs when it is chosen.
void add_check(CLI::App& app);
void add_similarity(CLI::App& app);
void add_agreement(CLI::App& app);
void add_sdp(CLI::App& app);
void add_verify(CLI::App& app);
void add_cluster(CLI::App& app);
void add_embed(CLI::App& app);
void add_simulate(CLI::App& app);
void add_plan(CLI::App& app);
void add_theory(CLI::App& app);

}  // namespace tertium::cli
