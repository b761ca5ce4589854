#pragma once

#include <string>
#include <string_view>

#include "tertium/reading/byte_source.hpp"
#include "tertium/similarity/similarity_matrix.hpp"

namespace tertium {

/// The first bytes of every snapshot file. The format is described in docs/snapshot.md.
inline constexpr std::string_view snapshot_magic = "\x89TERTSIM";
inline constexpr std::uint32_t snapshot_version = 1;

/// Writes a snapshot, whole or not at all.
void write_snapshot(const SimilarityMatrix& similarity, const std::string& path);

/// Reads a snapshot. Throws InputError if it is cut off, damaged, or of a newer version.
SimilarityMatrix read_snapshot(const InputFile& file);

/// True if the file starts like a snapshot.
bool is_snapshot(const InputFile& file);

}  // namespace tertium
