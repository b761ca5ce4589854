#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tertium {

/// How far a long piece of work is. `total` is 0 when it is not known (a pipe), and may be more
/// than what is needed in the end.
struct ProgressUpdate {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

/// Called now and then during long work, never from two threads at once. Return false to stop: the
/// work then throws Cancelled.
using Progress = std::function<bool(const ProgressUpdate&)>;

/// The same for work that has several stages, each named.
using StageProgress = std::function<bool(const std::string& stage, const ProgressUpdate&)>;

}  // namespace tertium
