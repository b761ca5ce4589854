#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tertium {

namespace internal {
class Random;
}

/// How far a long piece of work is. `total` is 0 when it is not known (a pipe), and may be more
/// than what is needed in the end.
struct ProgressUpdate {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  /// What is being done gives something true however early it ends: to stop now ends this part
  /// alone, and the work goes on with what it gave.
  bool may_end_early = false;
};

/// Called now and then during long work, never from two threads at once. Return false to stop: the
/// work then throws Cancelled, unless it may end early.
using Progress = std::function<bool(const ProgressUpdate&)>;

/// The same for work that has several stages, each named.
using StageProgress = std::function<bool(const std::string& stage, const ProgressUpdate&)>;

struct RunOptions {
  int threads = 0;  // 0: one per core; at most eight per core, and what `ulimit -v` has room for
  std::uint64_t seed = 1;  // of all random streams
  StageProgress progress;  // told where the work is; false stops it
};

/// What one piece of work shares from its beginning to its end: threads, random numbers, a voice to
/// the caller, and the only way to stop. Handed on by reference. No result depends on the number of
/// threads.
class Run {
 public:
  explicit Run(RunOptions options = {});
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  [[nodiscard]] int threads() const;
  [[nodiscard]] std::uint64_t seed() const;

  /// Runs `work(worker)` for worker = 0 .. count-1 on the threads of the run, which live as long as
  /// it does, and waits for all of them. Workers may have to wait for each other's threads: none
  /// may rely on another one running at the same time. Inside of a worker everything runs on its
  /// own thread. The exception of the lowest-numbered failed worker is thrown again here.
  void workers(int count, const std::function<void(int)>& work);

  /// Random numbers for one use, by name: streams of different names, and those of one name with
  /// different numbers, have nothing to do with each other.
  [[nodiscard]] internal::Random stream(std::string_view name, std::uint64_t number = 0) const;

  /// Tells the caller where the work is. Throws Cancelled if the caller wants to stop. From any
  /// thread.
  void say(const std::string& stage, const ProgressUpdate& update = {});
  /// The same for work of several steps that has been announced before.
  void say(const ProgressUpdate& update);
  /// Asks only whether to go on. Throws Cancelled.
  void check();

  /// While this lives, whoever wants to stop ends only this part of the work: say() and check() do
  /// not throw then. One at a time.
  class EarlyEnd {
   public:
    explicit EarlyEnd(Run& run);
    ~EarlyEnd();
    EarlyEnd(const EarlyEnd&) = delete;
    EarlyEnd& operator=(const EarlyEnd&) = delete;

    /// Whether it was asked for. From any thread.
    [[nodiscard]] bool is_wanted() const;

   private:
    Run& run_;
  };

 private:
  struct Pool;
  void ask();  // under the lock of `saying`

  RunOptions options_;
  std::unique_ptr<Pool> pool_;
};

/// An environment variable of OpenBLAS, which reads it when it is loaded and never again.
struct BlasSetting {
  std::string variable;
  std::string value;
};

/// What would make OpenBLAS faster and nobody has set: variables to set before the program starts.
/// - OPENBLAS_CORETYPE: releases older than the processor fall back to their slowest kernels
///   (Prescott, SSE3), several times slower than those that the processor could run.
/// - OPENBLAS_NUM_THREADS=1: this library divides the work itself, and idle threads of OpenBLAS
///   spin for a while and take a core from it.
/// Empty if there is nothing to gain, and with another BLAS.
std::vector<BlasSetting> better_blas_settings();

}  // namespace tertium
