#pragma once

#include <string_view>

namespace tertium::cli {

/// Makes standard input, output and error safe to use, before anything else is opened:
/// - one that the caller has closed is open from now on, but cannot be used: else the next file
///   opened would take its place, and messages would end up in data;
/// - writing into a pipe that nobody reads, or beyond a limit on the size of files, is an error
/// like
///   a full disk, not the end of the program.
void prepare_standard_streams();

/// Writes "tertium: ..." to standard error; a text that repeats input is to be escaped before. If
/// even that is impossible, nobody can be told.
void complain(std::string_view text) noexcept;

/// Whether all that was printed has arrived; if not (a full disk, a pipe that nobody reads), says
/// so.
bool standard_output_arrived();

}  // namespace tertium::cli
