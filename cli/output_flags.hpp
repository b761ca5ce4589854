#pragma once

#include <CLI/CLI.hpp>

namespace tertium::cli {

/// How every command reports, and what it may replace.
struct OutputFlags {
  bool json = false;
  bool quiet = false;  // nothing but errors; wins over json
  bool force = false;  // files that this program did not write may be replaced
};

/// Adds --json and --quiet.
void add_report_flags(CLI::App& command, OutputFlags& flags);

/// Adds --force, for commands that write files.
void add_force_flag(CLI::App& command, OutputFlags& flags);

}  // namespace tertium::cli
