#include <string>
#include <string_view>

#include <zlib.h>

#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"
#include "tertium/error.hpp"
#include "tertium/report.hpp"
#include "tertium/similarity.hpp"

namespace tertium::fuzzing {
namespace {

/// The same with the checksum that belongs to it; else a fuzzer would never get behind that.
std::string with_checksum(std::string_view bytes) {
  constexpr std::size_t checksum_size = 4;
  if (bytes.size() < checksum_size) return std::string(bytes);
  const std::string_view content = bytes.substr(0, bytes.size() - checksum_size);
  const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  std::string result(content);
  for (unsigned shift = 0; shift < 32; shift += 8) {
    result += static_cast<char>(checksum >> shift & 0xFFU);
  }
  return result;
}

void load(std::string_view bytes) {
  const MemoryFile file(bytes);
  const SimilarityMatrix once = read_snapshot(file.path());
  validate(once);
  similarity_as_text(once);
  strongest_pairs_as_text(once);
  similarity_as_json(once);
  if (once.is_given() || once.repeats != Repeats::sum) return;
  Run run({.threads = 1});
  const SimilarityMatrix twice = load_similarity({file.path(), file.path()}, {}, run).similarity;
  promise(twice.items == once.items && twice.value.size() == once.value.size(),
          "a snapshot added to itself has the same entries");
  // What is added up is in millionths or whole, whatever the snapshot's units.
  __extension__ using Wide = __int128;
  for (std::size_t at = 0; at < once.value.size(); ++at) {
    promise(
        Wide{twice.value[at]} * once.denominator == Wide{2} * once.value[at] * twice.denominator,
        "a snapshot added to itself is twice as large");
  }
}

}  // namespace

void read_snapshot_file(std::string_view bytes) {
  try {
    load(bytes);
  } catch (const InputError&) {
  }
  load(with_checksum(bytes));
}

}  // namespace tertium::fuzzing
