#pragma once

#include <span>
#include <string_view>

namespace tertium::fuzzing {

/// Reads bytes as one kind of input, the whole way that a command goes with it. Bad input is an
/// InputError; whatever else goes wrong ends the process.
using Target = void (*)(std::string_view bytes);

struct NamedTarget {
  std::string_view name;  // also of its corpus
  Target run;
};

std::span<const NamedTarget> targets();

/// Null if there is none of this name.
const NamedTarget* find_target(std::string_view name);

/// Runs a target; that it refuses its input is fine.
void run(const NamedTarget& target, std::string_view bytes);

/// Ends the process, with the sentence that turned out to be wrong.
void promise(bool holds, const char* sentence);

// A file each, named after them.
void read_answers_file(std::string_view bytes);
void read_certificate(std::string_view bytes);
void read_dual(std::string_view bytes);
void read_filtered(std::string_view bytes);
void read_by_flags(std::string_view bytes);
void read_gzip(std::string_view bytes);
void read_items(std::string_view bytes);
void read_matrix(std::string_view bytes);
void read_numbers(std::string_view bytes);
void read_points_file(std::string_view bytes);
void read_result_file(std::string_view bytes);
void read_snapshot_file(std::string_view bytes);

}  // namespace tertium::fuzzing
