#include <cstdio>
#include <memory>

#include <zlib.h>

#include "tertium/error.hpp"
#include "tertium/read.hpp"
#include "tertium/reading/byte_source.hpp"

namespace tertium::internal {
namespace {

FileIdentity identity_of(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  if (!file) throw InputError({{path}, "that it cannot be read again", "a readable file", ""});
  FileIdentity identity{path, 0, static_cast<std::uint32_t>(::crc32(0, nullptr, 0))};
  std::vector<unsigned char> buffer(1U << 20U);
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    identity.bytes += got;
    identity.checksum = static_cast<std::uint32_t>(
        ::crc32(identity.checksum, buffer.data(), static_cast<uInt>(got)));
  }
  return identity;
}

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::vector<FileIdentity> identify(const std::vector<InputFile>& files) {
  std::vector<FileIdentity> identities;
  for (const InputFile& file : files) {
    const std::shared_ptr<ByteSource> source = file.open();
    identities.push_back(source->is_regular() ? identity_of(file.path)
                                              : FileIdentity{source->name(), source->position(),
                                                             source->checksum()});
  }
  return identities;
}

}  // namespace tertium
