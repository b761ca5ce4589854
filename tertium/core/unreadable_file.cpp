#include "tertium/core/unreadable_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/similar_names.hpp"
#include "tertium/core/utf8.hpp"

namespace tertium::internal {
namespace {

namespace fs = std::filesystem;

/// Enough to find a name; a folder of a million files is not read to the end for a message.
constexpr std::size_t most_entries = 10'000;

/// The names in a folder, sorted.
std::vector<std::string> entries_of(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  fs::directory_iterator entries(folder.empty() ? "." : folder, failed);
  for (; !failed && entries != fs::directory_iterator() && names.size() < most_entries;
       entries.increment(failed)) {
    names.push_back(entries->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The names in a folder that are like this one, as whole paths.
std::string did_you_mean_path(const fs::path& path) {
  std::vector<std::string> similar =
      similar_names(path.filename().string(), entries_of(path.parent_path()));
  for (std::string& name : similar) name = (path.parent_path() / name).string();
  return did_you_mean(similar);
}

InputError missing_file(const std::string& path) {
  // The first folder on the way that is not there, or the file itself.
  fs::path missing(path);
  std::error_code failed;
  while (missing.has_parent_path() && !fs::exists(missing.parent_path(), failed)) {
    missing = missing.parent_path();
  }
  const bool folder = missing != fs::path(path);
  std::string remedy = did_you_mean_path(missing);
  if (remedy.empty() && missing.is_relative()) {
    remedy = "It was looked for in " + fs::current_path(failed).string();
  }
  return InputError(
      {{path},
       folder ? "that there is no folder " + in_quotes(missing.string()) : "no such file",
       "a file that exists",
       remedy});
}

InputError directory(const std::string& path) {
  std::vector<std::string> names = entries_of(path);
  std::erase_if(names, [&](const std::string& name) {
    std::error_code failed;
    return name.starts_with('.') || !fs::is_regular_file(fs::path(path) / name, failed);
  });
  return InputError({{path},
                     "a directory",
                     "a file",
                     names.empty() ? "" : "Name one of the files in it: " + name_list(names)});
}

}  // namespace

InputError unreadable_file(const std::string& path, int error) {
  if (path.empty()) {
    return InputError({{}, "an empty file name", "the name of a file to read", ""});
  }
  switch (error) {
    case ENOENT:
      return missing_file(path);
    case EISDIR:
      return directory(path);
    case ENOTDIR:
      return InputError({{path},
                         "a file where a folder should be",
                         "folders before the last slash",
                         "Leave out what stands after the name of the file"});
    case EACCES:
      return InputError({{path},
                         "that you are not permitted to read it",
                         "a file that can be read",
                         "Change who may read it: chmod, or ask its owner"});
    default:
      return InputError({{path},
                         fmt::format("that it cannot be read ({})", std::strerror(error)),
                         "a file that can be read",
                         ""});
  }
}

}  // namespace tertium::internal
