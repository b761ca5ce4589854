#include "tertium/core/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tertium/error.hpp"

namespace tertium::internal {

double physical_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void check_memory(double bytes, const char* what, const char* remedy) {
  if (bytes <= physical_memory()) return;
  throw InputError({{},
                    fmt::format("{}, which needs {:.1f} GB", what, bytes / 1e9),
                    fmt::format("at most the {:.1f} GB of this machine", physical_memory() / 1e9),
                    remedy});
}

}  // namespace tertium::internal
