#include "tertium/run.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/resource.h>

#include "tertium/core/random.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

/// More threads than this per core only cost memory.
constexpr int most_threads_per_core = 8;

/// Address space that one more thread may take: 128 MB for the buffer of OpenBLAS, which tries for
/// ever where it gets none, and up to as much for what the thread allocates and its stack.
constexpr rlim_t space_for_thread = rlim_t{256} << 20U;

/// Threads that fit into the memory that the user allows, at least one.
int most_that_fit() {
  rlimit limit{};
  constexpr int many = 1 << 20;
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return many;
  return static_cast<int>(
      std::clamp<rlim_t>(limit.rlim_cur / space_for_thread, 1, static_cast<rlim_t>(many)));
}

int resolved(int requested) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int threads = requested > 0 ? std::min(requested, most_threads_per_core * cores) : cores;
  return std::min(threads, most_that_fit());
}

/// Set while a thread runs a worker: whatever it starts stays on it.
thread_local bool inside_worker = false;

/// The workers of one call and who has taken which.
class Batch {
 public:
  Batch(int count, const std::function<void(int)>& work)
      : work_(work), count_(count), failures_(static_cast<std::size_t>(count)) {}

  /// Runs workers until none is left to take.
  void help() {
    const bool outermost = !inside_worker;
    inside_worker = true;
    for (int worker = next_++; worker < count_; worker = next_++) {
      try {
        work_(worker);
      } catch (...) {
        failures_[static_cast<std::size_t>(worker)] = std::current_exception();
      }
    }
    if (outermost) inside_worker = false;
  }

  [[nodiscard]] bool all_taken() const { return next_ >= count_; }

  void rethrow() const {
    for (const auto& failure : failures_) {
      if (failure) std::rethrow_exception(failure);
    }
  }

 private:
  const std::function<void(int)>& work_;
  int count_;
  std::atomic<int> next_ = 0;
  std::vector<std::exception_ptr> failures_;
};

}  // namespace

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

struct Run::Pool {
  explicit Pool(int threads) : threads_(threads) {}

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
  }

  void run(int count, const std::function<void(int)>& work) {
    Batch batch(count, work);
    {
      // One batch at a time: those who call from different threads outside of the pool take turns.
      const std::lock_guard turn(turn_);
      {
        const std::lock_guard lock(mutex_);
        start_threads(std::min(count, threads_) - 1);
        batch_ = &batch;
      }
      changed_.notify_all();
      batch.help();
      std::unique_lock lock(mutex_);
      batch_ = nullptr;
      changed_.wait(lock, [&] { return helping_ == 0; });
    }
    batch.rethrow();
  }

  int threads_;
  std::mutex saying_;
  std::string stage_;
  ProgressUpdate update_;
  std::atomic<bool> may_end_early_ = false;
  std::atomic<bool> should_end_early_ = false;

 private:
  /// Threads start when they are needed first, and stay.
  void start_threads(int wanted) {
    while (static_cast<int>(others_.size()) < wanted) {
      others_.emplace_back([this] { serve(); });
    }
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ending_ || (batch_ != nullptr && !batch_->all_taken()); });
      if (ending_) return;
      Batch* batch = batch_;
      ++helping_;
      lock.unlock();
      batch->help();
      lock.lock();
      if (--helping_ == 0) changed_.notify_all();
    }
  }

  std::mutex turn_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Batch* batch_ = nullptr;
  int helping_ = 0;
  bool ending_ = false;
  std::vector<std::jthread> others_;  // last, so that they have ended before the rest goes
};

Run::Run(RunOptions options)
    : options_(std::move(options)), pool_(std::make_unique<Pool>(resolved(options_.threads))) {}

Run::~Run() = default;

int Run::threads() const { return pool_->threads_; }

std::uint64_t Run::seed() const { return options_.seed; }

void Run::workers(int count, const std::function<void(int)>& work) {
  if (count <= 1 || pool_->threads_ == 1 || inside_worker) {
    for (int worker = 0; worker < count; ++worker) work(worker);
    return;
  }
  pool_->run(count, work);
}

Random Run::stream(std::string_view name, std::uint64_t number) const {
  // FNV-1a: all that matters is that different names give different numbers.
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return random_stream(options_.seed ^ Random(hash).next(), number);
}

void Run::say(const std::string& stage, const ProgressUpdate& update) {
  if (!options_.progress) return;
  const std::lock_guard lock(pool_->saying_);
  pool_->stage_ = stage;
  pool_->update_ = update;
  ask();
}

void Run::say(const ProgressUpdate& update) {
  if (!options_.progress) return;
  const std::lock_guard lock(pool_->saying_);
  pool_->update_ = update;
  ask();
}

void Run::check() {
  if (!options_.progress) return;
  const std::lock_guard lock(pool_->saying_);
  ask();
}

void Run::ask() {
  if (pool_->should_end_early_) return;  // it has been said
  pool_->update_.may_end_early = pool_->may_end_early_;
  if (options_.progress(pool_->stage_, pool_->update_)) return;
  if (!pool_->may_end_early_) throw Cancelled();
  pool_->should_end_early_ = true;
}

Run::EarlyEnd::EarlyEnd(Run& run) : run_(run) { run_.pool_->may_end_early_ = true; }

Run::EarlyEnd::~EarlyEnd() {
  run_.pool_->may_end_early_ = false;
  run_.pool_->should_end_early_ = false;
}

bool Run::EarlyEnd::is_wanted() const { return run_.pool_->should_end_early_; }

}  // namespace tertium
