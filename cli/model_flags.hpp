#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tertium/planted/simulated_answers.hpp"

namespace tertium::cli {

/// The flags of every command that simulates the planted model.
struct ModelFlags {
  std::optional<std::int64_t> items;
  std::optional<std::int64_t> clusters;
  std::string sizes;
  double delta = 0.5;
  std::string distribution = "normal";
  bool as_printed = false;
  std::string kind = "triplets";
  std::vector<double> epsilon = {0.75};
  std::optional<double> epsilon_spread;
  std::int64_t participants = 0;
  bool replacement = false;
  std::int64_t seed = 1;
  int threads = 0;
};

/// The groups of flags in help, for commands that have more of them.
inline constexpr const char* model_group = "Model";
inline constexpr const char* survey_group = "Survey";

/// Adds the flags to a subcommand.
void add_model_flags(CLI::App& command, ModelFlags& flags);

/// What the flags mean. Each throws InputError for a value that is not allowed.
PlantedModel planted_model(const ModelFlags& flags);
Survey survey_without_answers(const ModelFlags& flags);
int checked_threads(int threads);

/// A whole number that must not be negative.
std::uint64_t checked_count(const char* flag, std::int64_t value);

}  // namespace tertium::cli
