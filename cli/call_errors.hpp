#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tertium/error.hpp"

namespace tertium::cli {

/// The names of all commands, in the order of the help.
std::vector<std::string> command_names(const CLI::App& app);

/// There is no such command; says which there are and which was perhaps meant.
InputError unknown_command(const CLI::App& app, const std::string& name);

/// What is wrong with the words of the command line, and where to read more. `error` is what
/// CLI11 stumbled over; an unknown flag is named instead, since it is often the cause.
std::string call_error_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tertium::cli
