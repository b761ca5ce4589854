#include "tertium/core/threads.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace tertium {
namespace {

constexpr int most_threads_per_core = 8;

}  // namespace

int resolve_threads(int requested) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return requested > 0 ? std::min(requested, most_threads_per_core * cores) : cores;
}

void run_workers(int threads, const std::function<void(int)>& work) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(threads));
  const auto guarded = [&](int worker) {
    try {
      work(worker);
    } catch (...) {
      failures[static_cast<std::size_t>(worker)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int worker = 1; worker < threads; ++worker) others.emplace_back(guarded, worker);
    guarded(0);
  }
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace tertium
