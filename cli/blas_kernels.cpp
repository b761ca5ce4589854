#include "cli/blas_kernels.hpp"

#include <cstdlib>
#include <string_view>

#include <dlfcn.h>
#include <unistd.h>

namespace tertium::cli {
namespace {

constexpr const char* kernels_variable = "OPENBLAS_CORETYPE";
constexpr const char* threads_variable = "OPENBLAS_NUM_THREADS";

/// The kernels in use, or nothing if BLAS is not OpenBLAS.
std::string_view kernels_in_use() {
  using GetName = char* (*)();
  // The cast is what POSIX prescribes for dlsym.
  const auto name = reinterpret_cast<GetName>(::dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  return name == nullptr ? std::string_view() : std::string_view(name());
}

/// Better kernels than those for processors that OpenBLAS does not know, or null.
const char* better_kernels() {
  const char* better = nullptr;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    better = "HASWELL";
  }
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0) {
    better = "SKYLAKEX";
  }
#endif
  return better;
}

/// Sets a variable that nobody has set; true if it was set here.
bool set_if_free(const char* variable, const char* value) {
  return value != nullptr && std::getenv(variable) == nullptr && ::setenv(variable, value, 1) == 0;
}

}  // namespace

void choose_blas_kernels(char** argv) {
  const std::string_view kernels = kernels_in_use();
  if (kernels.empty()) return;
  bool changed = kernels == "Prescott" && set_if_free(kernels_variable, better_kernels());
  changed = set_if_free(threads_variable, "1") || changed;
  if (changed) ::execv("/proc/self/exe", argv);
  // Still here: nothing to change, or the program cannot be started again and is only slower.
}

}  // namespace tertium::cli
