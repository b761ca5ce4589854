#pragma once

#include <cstdint>
#include <string>

#include "tertium/reading/byte_source.hpp"

namespace tertium::internal {

/// The next `bytes` of a source, or all that are left if there are fewer. Memory is taken as they
/// come. Throws InputError if it is a pipe or gzip with more than its limit.
std::string read_whole(ByteSource& source, std::uint64_t bytes);

/// All remaining bytes of a source.
inline std::string read_all(ByteSource& source) { return read_whole(source, ~std::uint64_t{0}); }

}  // namespace tertium::internal
