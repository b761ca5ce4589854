#include <string>
#include <string_view>

#include <zlib.h>

#include "fuzz/answers.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/reading/byte_source.hpp"

namespace tertium::fuzzing {
namespace {

std::string packed(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_window_bits = 15 + 16;
  constexpr int memory_level = 8;
  promise(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, gzip_window_bits, memory_level,
                       Z_DEFAULT_STRATEGY) == Z_OK,
          "zlib can pack");
  std::string result(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  promise(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib packs all");
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string unpacked(const MemoryFile& file) {
  internal::ByteSource source(file.path());
  std::string text;
  std::string part(1 << 10, '\0');
  for (std::size_t got = part.size(); got == part.size();) {
    got = source.read(part.data(), part.size());
    text.append(part, 0, got);
  }
  return text;
}

}  // namespace

/// The bytes as they are, which may be gzip; and packed, in two pieces one after the other.
void read_gzip(std::string_view bytes) {
  const std::size_t half = bytes.size() / 2;
  const MemoryFile pieces(packed(bytes.substr(0, half)) + packed(bytes.substr(half)));
  promise(unpacked(pieces) == bytes, "what was packed comes out again");

  const MemoryFile file(bytes);
  read_every_way(file.path(), {});
}

}  // namespace tertium::fuzzing
