#include "cli/standard_streams.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace tertium::cli {

void prepare_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    // In the wrong direction, so that using it fails. The lowest free number is this one.
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void complain(std::string_view text) noexcept {
  std::fputs("tertium: ", stderr);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

bool standard_output_arrived() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  const std::string why = errno == 0 ? "" : fmt::format(" ({})", std::strerror(errno));
  complain(fmt::format(
      "standard output: found that it cannot be written{}; expected a place that takes all of it",
      why));
  return false;
}

}  // namespace tertium::cli
