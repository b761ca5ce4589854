#include "cli/blas_kernels.hpp"

#include <cstdlib>
#include <string_view>

#include <dlfcn.h>
#include <unistd.h>

namespace tertium::cli {
namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";

/// The kernels in use, or nothing if BLAS is not OpenBLAS.
std::string_view kernels_in_use() {
  using GetName = char* (*)();
  // The cast is what POSIX prescribes for dlsym.
  const auto name = reinterpret_cast<GetName>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name == nullptr ? std::string_view() : std::string_view(name());
}

}  // namespace

void choose_blas_kernels(char** argv) {
#if defined(__x86_64__)
  if (std::getenv(variable) != nullptr || kernels_in_use() != "Prescott") return;
  __builtin_cpu_init();
  const char* better = nullptr;
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    better = "HASWELL";
  }
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0) {
    better = "SKYLAKEX";
  }
  if (better == nullptr || ::setenv(variable, better, 1) != 0) return;
  ::execv("/proc/self/exe", argv);
  // Still here: the program cannot be started again. It is only slower.
#endif
}

void use_one_blas_thread() {
  using SetThreads = void (*)(int);
  const auto set = reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(1);
}

}  // namespace tertium::cli
