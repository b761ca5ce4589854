#include "tertium/spectral/blas.hpp"

#include <cstdlib>

#include <Eigen/Dense>
#include <dlfcn.h>
#include <sys/resource.h>

#include "tertium/run.hpp"

namespace tertium::internal {
namespace {

/// A function of OpenBLAS, or null with another BLAS. The cast is what POSIX prescribes for dlsym.
template <typename Function>
Function openblas(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

/// The best kernels that this processor can run, among those that every OpenBLAS since 0.3 has.
const char* kernels_for_this_processor() {
  const char* best = nullptr;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) best = "HASWELL";
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0) {
    best = "SKYLAKEX";
  }
#endif
  return best;
}

void add_if_free(std::vector<BlasSetting>& settings, const char* variable, const char* value) {
  if (value != nullptr && std::getenv(variable) == nullptr) settings.push_back({variable, value});
}

}  // namespace

std::string_view blas_kernels() {
  const auto name = openblas<char* (*)()>("openblas_get_corename");
  return name == nullptr ? std::string_view() : std::string_view(name());
}

void use_one_blas_thread() {
  static const bool done = [] {
    // Other BLAS libraries of Debian have no threads.
    const auto set = openblas<void (*)(int)>("openblas_set_num_threads");
    if (set != nullptr) set(1);
    return true;
  }();
  static_cast<void>(done);
}

void reserve_blas_memory() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  constexpr Eigen::Index size = 64;  // large enough to be given to BLAS
  const Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(size, size);
  Eigen::MatrixXd product(size, size);
  product.noalias() = ones * ones;
}

}  // namespace tertium::internal

namespace tertium {

using namespace internal;

std::vector<BlasSetting> better_blas_settings() {
  std::vector<BlasSetting> settings;
  const std::string_view kernels = blas_kernels();
  if (kernels.empty()) return settings;
  if (kernels == "Prescott") {
    add_if_free(settings, "OPENBLAS_CORETYPE", kernels_for_this_processor());
  }
  add_if_free(settings, "OPENBLAS_NUM_THREADS", "1");
  return settings;
}

}  // namespace tertium
