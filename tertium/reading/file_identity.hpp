#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tertium/reading/byte_source.hpp"

namespace tertium {

/// Which file it was: enough to notice that another one is meant.
struct FileIdentity {
  std::string name;            // the path as it was given, or "standard input"
  std::uint64_t bytes = 0;     // as they lie in the file, not unpacked
  std::uint32_t checksum = 0;  // CRC-32 of them
};

/// Reads regular files once more; standard input and pipes must have been read to their end.
std::vector<FileIdentity> identify(const std::vector<InputFile>& files);

}  // namespace tertium
