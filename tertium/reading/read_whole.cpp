#include "tertium/reading/read_whole.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tertium/core/memory.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

constexpr std::uint64_t read_step = 1U << 20U;
constexpr std::uint64_t megabyte = 1U << 20U;

}  // namespace

std::string read_whole(ByteSource& source, std::uint64_t bytes) {
  std::string text;
  std::uint64_t limit = source.read_limit();
  if (source.is_plain()) {
    // What lies on the disk is no surprise.
    limit = ~std::uint64_t{0};
    const std::uint64_t there = std::min(source.size(), bytes);
    check_memory(static_cast<double>(there), "a file that has to be read whole", "");
    text.reserve(there + 1);
  }
  while (text.size() < bytes) {
    const std::size_t before = text.size();
    const std::size_t step = std::min<std::uint64_t>(read_step, bytes - before);
    text.resize(before + step);
    const std::size_t got = source.read(text.data() + before, step);
    text.resize(before + got);
    if (text.size() > limit) {
      throw InputError({{source.name()},
                        fmt::format("more than {} MB", limit / megabyte),
                        "no more of a pipe or gzip that has to be read whole",
                        "Raise the limit with --read-limit MB, or unpack it into a file"});
    }
    if (got < step) break;
  }
  return text;
}

}  // namespace tertium::internal
