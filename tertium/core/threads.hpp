#pragma once

#include <functional>

namespace tertium {

/// Number of worker threads for a request: 0 means one per core; at most eight per core are given.
int resolve_threads(int requested);

/// Runs `work(worker)` for worker = 0 .. threads-1 at the same time and waits for all of them. The
/// exception of the lowest-numbered failed worker is thrown again here.
void run_workers(int threads, const std::function<void(int)>& work);

}  // namespace tertium
