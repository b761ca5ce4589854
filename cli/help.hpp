#pragma once

#include <memory>

#include <CLI/CLI.hpp>

namespace tertium::cli {

/// Lays out help for a terminal of this width: flags in groups, texts wrapped, examples last. Lines
/// of a footer that begin with blanks are commands and stay such where they are broken.
std::shared_ptr<CLI::Formatter> help_formatter(std::size_t width);

/// Columns of the terminal: COLUMNS if it is set, else what standard output says, else 80. At least
/// 40, and at most 100: longer lines are hard to read.
std::size_t help_width();

/// Adds `help [COMMAND]`, the same as --help of the program or of the command.
void add_help(CLI::App& app);

}  // namespace tertium::cli
