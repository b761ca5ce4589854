#pragma once

#include <string>
#include <string_view>

#include "tertium/reading/byte_source.hpp"
#include "tertium/similarity.hpp"

namespace tertium::internal {

/// The first bytes of every snapshot file. The format is described in docs/snapshot.md.
inline constexpr std::string_view snapshot_magic = "\x89TERTSIM";
inline constexpr std::uint32_t snapshot_version = 1;

/// True if the file starts like a snapshot.
bool is_snapshot(const InputFile& file);

/// Throws InputError for a rule whose similarities do not add up, as snapshots do.
void check_snapshot_rule(std::string_view rule);

}  // namespace tertium::internal
