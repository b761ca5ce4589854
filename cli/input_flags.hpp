#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tertium/core/output_guard.hpp"
#include "tertium/similarity/load.hpp"

namespace tertium::cli {

inline constexpr double default_read_limit_in_mb = static_cast<double>(default_read_limit >> 20U);

/// Adds --read-limit.
void add_read_limit(CLI::App& command, double& megabytes);

/// The limit in bytes. Throws InputError if it is none.
std::uint64_t read_limit_in_bytes(double megabytes);

/// Throws InputError if standard input is named more than once: it can be read only once.
void check_standard_input(const std::vector<std::string>& names);

/// The flags of every command that takes answers.
struct InputFlags {
  std::vector<std::string> inputs;
  LoadOptions options;
  int threads = 0;
  double read_limit = default_read_limit_in_mb;

  // As text, until `finish` has understood it.
  std::string kind;
  std::string answer_values;
  std::string answer_means;
  std::string header;
  std::string separator;
  std::string repeats = "sum";
  std::string unknown_items = "error";
  std::string duplicates = "refuse";

  /// The inputs, each with the limit on what is read whole.
  [[nodiscard]] std::vector<InputFile> files() const;
};

/// Whether a command adds up answers, so that it matters how repeats count.
enum class Sums : std::uint8_t { no, yes };

/// Adds --similarity, for commands that make one.
void add_similarity_flag(CLI::App& command, InputFlags& flags);

/// Adds the flags to a subcommand, in groups that help shows after those added before.
void add_input_flags(CLI::App& command, InputFlags& flags, Sums sums);

/// All files that are read, with those of folders: what no output may replace.
void protect_inputs(internal::OutputGuard& guard, const std::vector<InputFile>& files,
                    const InputFlags& flags);

/// The options that the flags mean. Throws InputError for a value that is not allowed.
LoadOptions finish(const InputFlags& flags);

}  // namespace tertium::cli
