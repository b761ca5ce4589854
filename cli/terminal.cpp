#include "cli/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "tertium/core/temporary_name.hpp"
#include "tertium/core/utf8.hpp"

namespace tertium::cli {
namespace {

constexpr double seconds_before_first = 0.5;
constexpr double seconds_between = 0.1;

volatile std::sig_atomic_t stop_requested = 0;  // the signal

/// The first signal asks for a clean stop, also of a read that waits; the second ends the program,
/// but leaves no half-written files.
void on_signal(int signal) {
  if (stop_requested == 0) {
    stop_requested = signal;
    return;
  }
  internal::remove_temporary_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Who started the program may have said that it is to go on: `nohup` where the terminal ends, a
/// shell with `&` where Ctrl-C is meant for another.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void catch_signal(int signal) {
  if (is_ignored(signal)) return;
  struct sigaction action {};
  action.sa_handler = on_signal;  // and no SA_RESTART
  sigaction(signal, &action, nullptr);
}

/// "[#####...............]  25 %  ", or nothing if the total is not known.
std::string bar(const ProgressUpdate& state) {
  if (state.total == 0) return "";
  constexpr std::size_t width = 20;
  const double share =
      std::min(1.0, static_cast<double>(state.done) / static_cast<double>(state.total));
  const auto filled = static_cast<std::size_t>(width * share);
  return fmt::format("[{}{}] {:>3.0f} %  ", std::string(filled, '#'),
                     std::string(width - filled, '.'), 100 * share);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet), visible_(!quiet && ::isatty(STDERR_FILENO) == 1), started_(now()) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) catch_signal(signal);
}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

bool ProgressLine::show(const std::string& text, const ProgressUpdate& state) {
  if (stop_requested != 0 && !ended_early_) {
    // Whoever ends the terminal or the machine does not wait for the rest.
    if (stop_requested != SIGINT || !state.may_end_early) return false;
    clear();
    if (!quiet_) fmt::print(stderr, "note: {} ended here; Ctrl-C again stops at once\n", text);
    ended_early_ = true;
    return false;
  }
  const double time = now();
  if (!visible_ || time - started_ < seconds_before_first || time - last_ < seconds_between) {
    return true;
  }
  last_ = time;
  shown_ = true;
  fmt::print(stderr, "\r\033[K{}{}", bar(state), internal::escaped(text));
  std::fflush(stderr);
  return true;
}

RunOptions run_options(ProgressLine& line, int threads, std::uint64_t seed) {
  return {threads, seed, [&line](const std::string& stage, const ProgressUpdate& update) {
            return line.show(stage, update);
          }};
}

}  // namespace tertium::cli
