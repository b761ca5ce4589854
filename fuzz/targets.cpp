#include "fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "tertium/error.hpp"

namespace tertium::fuzzing {
namespace {

// What a file is, the reader finds out; several names for one target have dictionaries and corpora
// of their own, so that none of the formats is forgotten for another.
constexpr std::array<NamedTarget, 15> table = {{
    {"csv", read_answers_file},
    {"json", read_answers_file},
    {"jsonl", read_answers_file},
    {"npy", read_answers_file},
    {"matrix", read_matrix},
    {"gzip", read_gzip},
    {"items", read_items},
    {"points", read_points_file},
    {"snapshot", read_snapshot_file},
    {"certificate", read_certificate},
    {"dual", read_dual},
    {"numbers", read_numbers},
    {"result", read_result_file},
    {"filters", read_filtered},
    {"flags", read_by_flags},
}};

}  // namespace

std::span<const NamedTarget> targets() { return table; }

const NamedTarget* find_target(std::string_view name) {
  const auto* const found = std::find_if(
      table.begin(), table.end(), [&](const NamedTarget& target) { return target.name == name; });
  return found == table.end() ? nullptr : found;
}

void run(const NamedTarget& target, std::string_view bytes) {
  try {
    target.run(bytes);
  } catch (const InputError&) {  // what a user is told
  }
}

void promise(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "not true: %s\n", sentence);
  std::abort();
}

}  // namespace tertium::fuzzing
