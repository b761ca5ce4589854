#include "cli/restart.hpp"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include <sys/resource.h>
#include <unistd.h>

#include "tertium/run.hpp"
#include "tertium/spectral/blas.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TERTIUM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TERTIUM_SANITIZED 1
#endif
#endif

namespace tertium::cli {

#if defined(__linux__) && !defined(TERTIUM_SANITIZED)
namespace {

/// What the program and its libraries take, with one thread for OpenBLAS and little input.
constexpr rlim_t least_address_space = rlim_t{256} << 20U;

/// More variables than any environment has; in front of the libraries nothing can be allocated.
constexpr std::size_t most_variables = 4096;

constexpr std::string_view threads_variable = "OPENBLAS_NUM_THREADS=";
char one_thread[] = "OPENBLAS_NUM_THREADS=1";
char* variables[most_variables + 2];

void say(std::string_view text) {
  // There is nobody to tell if it fails.
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

/// Runs before the initialisers of the libraries, which is why it does without them.
void before_libraries(int /*argc*/, char** argv, char** environment) {
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) continue;
    if (limit.rlim_cur >= least_address_space) continue;
    say("tertium: found less than 256 MB of memory allowed; expected at least that. Raise the "
        "limit, for example: ulimit -v 1000000\n");
    ::_exit(2);
  }
  std::size_t count = 0;
  for (; environment[count] != nullptr; ++count) {
    const std::string_view variable = environment[count];
    if (count >= most_variables || variable.starts_with(threads_variable)) return;
    variables[count] = environment[count];
  }
  variables[count] = one_thread;
  variables[count + 1] = nullptr;
  ::execve("/proc/self/exe", argv, variables);
}

// Not in a library, and in the one section that the loader looks at first.
[[gnu::used, gnu::section(".preinit_array")]] void (*first)(int, char**, char**) = before_libraries;

}  // namespace
#endif

void restart_with_better_blas(char** argv) {
  const std::vector<BlasSetting> settings = better_blas_settings();
  if (settings.empty()) {
    internal::reserve_blas_memory();
    return;
  }
  for (const BlasSetting& setting : settings) {
    if (::setenv(setting.variable.c_str(), setting.value.c_str(), 1) != 0) return;
  }
  ::execv("/proc/self/exe", argv);
}

}  // namespace tertium::cli
