#include "cli/restart.hpp"

#include <cstdlib>

#include <unistd.h>

#include "tertium/run.hpp"

namespace tertium::cli {

void restart_with_better_blas(char** argv) {
  const std::vector<BlasSetting> settings = better_blas_settings();
  if (settings.empty()) return;
  for (const BlasSetting& setting : settings) {
    if (::setenv(setting.variable.c_str(), setting.value.c_str(), 1) != 0) return;
  }
  ::execv("/proc/self/exe", argv);
}

}  // namespace tertium::cli
