/// The program that libFuzzer runs: tertium_fuzz TARGET [options of libFuzzer] [folders].

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/targets.hpp"

namespace {

const tertium::fuzzing::NamedTarget* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  chosen = *argc > 1 ? tertium::fuzzing::find_target((*argv)[1]) : nullptr;
  if (chosen == nullptr) {
    std::fputs("usage: tertium_fuzz TARGET ..., one of:\n", stderr);
    for (const auto& target : tertium::fuzzing::targets()) {
      std::fprintf(stderr, "  %s\n", target.name.data());
    }
    std::exit(2);
  }
  (*argv)[1] = (*argv)[0];  // libFuzzer would take the name for a folder
  ++*argv;
  --*argc;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tertium::fuzzing::run(*chosen, {reinterpret_cast<const char*>(data), size});
  return 0;
}
