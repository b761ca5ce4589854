#include <string_view>

#include "cli/input_flags.hpp"
#include "fuzz/answers.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/targets.hpp"

namespace tertium::fuzzing {

/// Lines with the values of --where, an empty line, and the file that they pick from.
void read_filtered(std::string_view bytes) {
  cli::InputFlags flags;
  while (!bytes.empty() && bytes[0] != '\n') {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    flags.options.read.where.emplace_back(line);
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
  }
  if (!bytes.empty()) bytes.remove_prefix(1);
  const MemoryFile file(bytes);
  const ReadOptions options = cli::finish(flags).read;
  const auto picked = read_every_way(file.path(), options);
  const auto all = read_every_way(file.path(), {});
  if (!picked || !all) return;
  promise(picked->rows == all->rows, "rows that are left out are still counted");
  promise(picked->answered <= all->answered, "a filter adds no answers");
}

}  // namespace tertium::fuzzing
