#pragma once

#include <optional>
#include <string>

#include "tertium/read.hpp"

namespace tertium::fuzzing {

/// Reads a file of answers as every command does, and compares what they make of it. The counts of
/// rows, or nothing if it is refused.
std::optional<RowCounts> read_every_way(const std::string& path, const ReadOptions& options);

}  // namespace tertium::fuzzing
