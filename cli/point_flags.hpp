#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "tertium/points.hpp"
#include "tertium/similarity.hpp"

namespace tertium::cli {

/// The flags of commands that take points instead of answers.
struct PointFlags {
  bool points = false;
  PointOptions options;
};

void add_point_flags(CLI::App& command, PointFlags& flags);

/// How points are to be read, if --points was given. Throws InputError for flags that do not go
/// together: those of answers with it, its own without it.
std::optional<PointOptions> point_options(const PointFlags& flags, const LoadOptions& load);

/// The only input. Throws InputError if there are several.
const InputFile& only_table(const std::vector<InputFile>& inputs);

}  // namespace tertium::cli
