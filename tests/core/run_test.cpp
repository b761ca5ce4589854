#include "tertium/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tertium/core/random.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

/// How many threads this process has.
std::size_t threads_alive() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

/// The threads that were seen, by the number that the kernel gives each only once.
class SeenThreads {
 public:
  void note() {
    const std::lock_guard lock(mutex_);
    seen_.insert(::gettid());
  }
  [[nodiscard]] std::size_t besides_this() const { return seen_.size() - seen_.count(::gettid()); }

 private:
  std::mutex mutex_;
  std::set<pid_t> seen_;
};

TEST(RunThreads, AreAsManyAsAskedForOrAsCores) {
  EXPECT_EQ(tertium::Run({.threads = 1}).threads(), 1);
  EXPECT_EQ(tertium::Run({.threads = 3}).threads(), 3);
  const auto cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_EQ(tertium::Run().threads(), cores);
  EXPECT_EQ(tertium::Run({.threads = 1'000'000}).threads(), 8 * cores);
}

TEST(RunWorkers, RunEveryNumberOnceOnAtMostSoManyThreads) {
  for (const int threads : {1, 2, 3, 5}) {
    tertium::Run run({.threads = threads});
    for (const int count : {0, 1, 2, 3, 7, 200}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
      SeenThreads seen;
      run.workers(count, [&](int worker) {
        ++times[static_cast<std::size_t>(worker)];
        seen.note();
      });
      for (const auto& time : times) EXPECT_EQ(time, 1) << threads << " " << count;
      EXPECT_LT(static_cast<int>(seen.besides_this()), threads) << count;
    }
  }
}

TEST(RunWorkers, RunAtTheSameTime) {
  tertium::Run run({.threads = 2});
  std::mutex mutex;
  std::condition_variable arrived;
  int there = 0;
  run.workers(2, [&](int) {
    std::unique_lock lock(mutex);
    ++there;
    arrived.notify_all();
    // Only a thread of its own lets the other one come while this one waits.
    EXPECT_TRUE(arrived.wait_for(lock, std::chrono::seconds(20), [&] { return there == 2; }));
  });
}

TEST(RunWorkers, InsideOfAWorkerStayOnItsThread) {
  tertium::Run run({.threads = 3});
  tertium::Run other({.threads = 3});
  std::atomic<int> inner = 0;
  run.workers(6, [&](int) {
    const auto here = std::this_thread::get_id();
    for (tertium::Run* nested : {&run, &other}) {
      nested->workers(5, [&](int) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        ++inner;
        run.workers(2, [&](int) { EXPECT_EQ(std::this_thread::get_id(), here); });
      });
    }
  });
  EXPECT_EQ(inner, 6 * 2 * 5);
  // Afterwards this thread is outside again.
  SeenThreads seen;
  std::atomic<int> there = 0;
  run.workers(2, [&](int) {
    seen.note();
    ++there;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (there < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  });
  EXPECT_GE(seen.besides_this(), 1U);  // both, if the others were quicker than this one
}

TEST(RunWorkers, ThrowTheFailureOfTheLowestAfterAllHaveEnded) {
  tertium::Run run({.threads = 4});
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> ended = 0;
    try {
      run.workers(4, [&](int worker) {
        // The failure with the lowest number is the last one to happen.
        if (worker == 1) std::this_thread::sleep_for(std::chrono::microseconds(100));
        ++ended;
        if (worker % 2 == 1) throw std::runtime_error(std::to_string(worker));
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "1");
    }
    EXPECT_EQ(ended, 4);
  }
  std::atomic<int> after = 0;
  run.workers(9, [&](int) { ++after; });
  EXPECT_EQ(after, 9);
}

TEST(RunWorkers, ThrowTheSameFailureOnOneThread) {
  tertium::Run run({.threads = 1});
  try {
    run.workers(4, [&](int worker) {
      if (worker % 2 == 1) throw std::runtime_error(std::to_string(worker));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "1");
  }
}

TEST(RunWorkers, NeedNoThreadOnOneThread) {
  const std::size_t before = threads_alive();
  const auto here = std::this_thread::get_id();
  tertium::Run run({.threads = 1});
  run.workers(20, [&](int) {
    EXPECT_EQ(std::this_thread::get_id(), here);
    EXPECT_LE(threads_alive(), before);
  });
}

TEST(RunWorkers, KeepTheirThreadsAsLongAsTheRunLives) {
  const std::size_t before = threads_alive();
  {
    tertium::Run run({.threads = 3});
    SeenThreads seen;
    std::atomic<int> done = 0;
    for (int call = 0; call < 1000; ++call) {
      run.workers(3, [&](int) {
        seen.note();
        ++done;
      });
    }
    EXPECT_EQ(done, 3000);
    EXPECT_LE(seen.besides_this(), 2U);
    EXPECT_LE(threads_alive(), before + 2);
  }
  // The kernel lists a thread for a moment after it was joined.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (threads_alive() > before && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  EXPECT_LE(threads_alive(), before);
}

TEST(RunWorkers, MayBeCalledFromTwoThreadsAtOnce) {
  tertium::Run run({.threads = 3});
  const auto add_up = [&run](std::atomic<int>& sum) {
    for (int call = 0; call < 300; ++call) {
      run.workers(4, [&](int worker) { sum += worker + 1; });
    }
  };
  std::atomic<int> first = 0;
  std::atomic<int> second = 0;
  {
    const std::jthread one([&] { add_up(first); });
    const std::jthread two([&] { add_up(second); });
  }
  EXPECT_EQ(first, 300 * (1 + 2 + 3 + 4));
  EXPECT_EQ(second, 300 * (1 + 2 + 3 + 4));
}

std::vector<std::uint64_t> first_numbers(Random random, std::size_t count) {
  std::vector<std::uint64_t> numbers(count);
  for (auto& number : numbers) number = random.next();
  return numbers;
}

TEST(RunStreams, AreTheSameForTheSameSeedNameAndNumber) {
  const tertium::Run one({.threads = 1, .seed = 7});
  const tertium::Run other({.threads = 3, .seed = 7});
  EXPECT_EQ(one.seed(), 7U);
  EXPECT_EQ(first_numbers(one.stream("search", 5), 100),
            first_numbers(other.stream("search", 5), 100));
  // Whatever was drawn before.
  EXPECT_EQ(first_numbers(one.stream("search", 5), 100),
            first_numbers(one.stream("search", 5), 100));
  EXPECT_EQ(first_numbers(one.stream("search"), 9), first_numbers(one.stream("search", 0), 9));
}

TEST(RunStreams, HaveNothingInCommonIfSeedNameOrNumberDiffer) {
  // 240 streams of 500 numbers: that two of the numbers agree by chance has probability 4e-10.
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (const std::uint64_t seed : {0U, 1U, 2U, 1U << 31U}) {
    const tertium::Run run({.threads = 1, .seed = seed});
    for (const char* name : {"", "a", "b", "search", "searches", "eigenvectors of S"}) {
      for (std::uint64_t number = 0; number < 10; ++number) {
        const auto numbers = first_numbers(run.stream(name, number), 500);
        seen.insert(numbers.begin(), numbers.end());
        drawn += numbers.size();
      }
    }
  }
  EXPECT_EQ(seen.size(), drawn);
}

TEST(RunProgress, IsToldTheStageAndHowFarItIs) {
  using Told = std::tuple<std::string, std::uint64_t, std::uint64_t>;
  std::vector<Told> told;
  tertium::Run run({.progress = [&](const std::string& stage, const ProgressUpdate& update) {
    told.emplace_back(stage, update.done, update.total);
    return true;
  }});
  run.say("reading");
  run.say(ProgressUpdate{3, 9});
  run.check();
  run.say("searching", {1, 2});
  run.check();
  EXPECT_EQ(told, (std::vector<Told>{{"reading", 0, 0},
                                     {"reading", 3, 9},
                                     {"reading", 3, 9},
                                     {"searching", 1, 2},
                                     {"searching", 1, 2}}));
}

TEST(RunProgress, StopsTheWorkByReturningFalse) {
  tertium::Run run({.progress = [](const std::string&, const ProgressUpdate&) { return false; }});
  EXPECT_THROW(run.say("reading"), Cancelled);
  EXPECT_THROW(run.say(ProgressUpdate{1, 2}), Cancelled);
  EXPECT_THROW(run.check(), Cancelled);
  tertium::Run silent;
  silent.say("reading");
  silent.say(ProgressUpdate{1, 2});
  silent.check();
}

TEST(RunProgress, StopsWorkersAndIsNeverCalledFromTwoThreadsAtOnce) {
  std::atomic<int> inside = 0;
  int calls = 0;
  tertium::Run run({.threads = 4, .progress = [&](const std::string&, const ProgressUpdate&) {
                      EXPECT_EQ(++inside, 1);
                      std::this_thread::yield();
                      --inside;
                      return ++calls < 100;
                    }});
  EXPECT_THROW(run.workers(4,
                           [&](int) {
                             for (int step = 0; step < 1000; ++step) run.say("working");
                           }),
               Cancelled);
  EXPECT_GE(calls, 100);
  EXPECT_LE(calls, 103);  // the others are stopped by their next word
}

TEST(RunEarlyEnd, EndsOnePartAndNotTheWork) {
  bool go_on = true;
  std::vector<bool> may_end;
  tertium::Run run({.progress = [&](const std::string&, const ProgressUpdate& update) {
    may_end.push_back(update.may_end_early);
    return go_on;
  }});
  run.check();
  {
    const tertium::Run::EarlyEnd end(run);
    run.say("a part");
    EXPECT_FALSE(end.is_wanted());
    go_on = false;
    EXPECT_NO_THROW(run.check());
    EXPECT_TRUE(end.is_wanted());
    EXPECT_NO_THROW(run.say("not asked again"));
  }
  EXPECT_EQ(may_end, (std::vector<bool>{false, true, true}));
  EXPECT_THROW(run.check(), Cancelled);
  {
    const tertium::Run::EarlyEnd end(run);
    EXPECT_FALSE(end.is_wanted());
  }
}

}  // namespace
}  // namespace tertium::internal
