/// Runs every file of a corpus through its target, without a fuzzer: tertium_replay FOLDER, which
/// has a folder for each target, or tertium_replay TARGET FILE...

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"
#include "tests/temporary_file.hpp"

namespace {

using namespace tertium::fuzzing;

void replay(const NamedTarget& target, const std::string& path) {
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);  // says which one it was if the next line ends the process
  run(target, tertium::internal::file_bytes(path));
}

/// All targets must have a corpus, and all of a corpus a target.
int replay_all(const std::filesystem::path& corpus) {
  std::size_t folders = 0;
  for (const NamedTarget& target : targets()) {
    std::size_t files = 0;
    std::error_code none;
    for (const auto& file : std::filesystem::directory_iterator(corpus / target.name, none)) {
      replay(target, file.path().string());
      ++files;
    }
    if (files == 0) {
      std::fprintf(stderr, "no corpus for %s\n", target.name.data());
      return 1;
    }
    ++folders;
  }
  for (const auto& folder : std::filesystem::directory_iterator(corpus)) {
    if (find_target(folder.path().filename().string()) == nullptr) {
      std::fprintf(stderr, "no target for %s\n", folder.path().c_str());
      return 1;
    }
  }
  std::printf("%zu targets\n", folders);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1) return replay_all(arguments[0]);
  const NamedTarget* target = arguments.empty() ? nullptr : find_target(arguments[0]);
  if (target == nullptr) {
    std::fputs("usage: tertium_replay FOLDER | tertium_replay TARGET FILE...\n", stderr);
    return 2;
  }
  for (std::size_t i = 1; i < arguments.size(); ++i) replay(*target, arguments[i]);
  return 0;
}
