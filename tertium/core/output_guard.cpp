#include "tertium/core/output_guard.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "tertium/core/name_list.hpp"
#include "tertium/core/temporary_name.hpp"
#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

namespace fs = std::filesystem;

struct KindRow {
  FileKind kind;
  std::string_view name;
  std::vector<std::string_view> beginnings;
};

/// How the writers begin their files, where nobody else begins files so. Answers, tables, arrays
/// and pictures look alike whoever made them: one that stands alone is never taken for ours. Each
/// command is run twice in the tests, so that an output that its successor would not replace is
/// noticed.
const KindRow& row_of(FileKind kind) {
  static const std::array<KindRow, 16> rows = {{
      {FileKind::snapshot, "a snapshot", {"\x89TERTSIM"}},
      {FileKind::npy, "an array (.npy)", {"\x93NUMPY"}},
      {FileKind::array, "an array (.npy)", {}},
      {FileKind::matrix_market, "a MatrixMarket file", {}},
      {FileKind::similarity_table, "a table of similarities", {}},
      {FileKind::item_names, "a list of item names", {}},
      {FileKind::answers, "simulated answers", {}},
      {FileKind::planted_clusters, "planted clusters", {}},
      {FileKind::certificate, "a certificate", {"{\n  \"format\": \"tertium certificate\""}},
      {FileKind::certificate_numbers, "the numbers of a certificate", {"tertium numbers\n"}},
      {FileKind::cluster_labels, "the labels of a result", {"item,cluster,confidence"}},
      {FileKind::cluster_result, "a result", {"{\n  \"format\": \"tertium result\""}},
      {FileKind::spreadsheet, "labels for a spreadsheet", {"\xEF\xBB\xBFitem,cluster,confidence"}},
      {FileKind::tree, "a tree (.nwk)", {"("}},
      {FileKind::points, "points of items", {}},
      {FileKind::svg, "a picture (.svg)", {}},
  }};
  return rows.at(static_cast<std::size_t>(kind));
}

/// Whether a file begins as files of this kind do.
bool begins_like(const fs::path& path, FileKind kind) {
  std::array<char, 64> buffer{};
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  file.read(buffer.data(), buffer.size());
  const std::string_view start(buffer.data(), static_cast<std::size_t>(file.gcount()));
  const auto& beginnings = row_of(kind).beginnings;
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return start.starts_with(beginning); });
}

/// Absolute and without links, also where nothing is yet.
std::string resolved(const fs::path& path) {
  std::error_code failed;
  const fs::path canonical = fs::weakly_canonical(fs::absolute(path, failed), failed);
  return failed ? path.string() : canonical.string();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return fs::equivalent(a, b, none);
}

bool is_device(const std::string& path) {
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// The folder must be there: only a result makes its own.
void check_parent(std::string_view flag, const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code none;
  if (!fs::is_directory(folder, none)) {
    throw InputError({{path},
                      fmt::format("that there is no folder {}", in_quotes(folder.string())),
                      "a folder that exists",
                      fmt::format("Make it, or use another {}", flag)});
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError({{path},
                      fmt::format("that the folder {} cannot be written ({})",
                                  in_quotes(folder.string()), std::strerror(errno)),
                      "a file that can be written",
                      fmt::format("Use another {}", flag)});
  }
}

/// Above a folder that may not exist yet, the one that does must allow to make it.
void check_place(std::string_view flag, const std::string& folder) {
  const auto refuse = [&](const std::string& found) {
    throw InputError(
        {{folder}, found, "a folder for the results", fmt::format("Use another {}", flag)});
  };
  const fs::path wanted = fs::absolute(folder).lexically_normal();
  fs::path existing = wanted;
  std::error_code none;
  while (!fs::exists(existing, none) && existing.has_relative_path()) {
    existing = existing.parent_path();
  }
  if (!fs::is_directory(existing, none)) {
    refuse(existing == wanted ? "a file"
                              : fmt::format("that {} is a file", in_quotes(existing.string())));
  }
  if (::access(existing.c_str(), W_OK | X_OK) != 0) {
    refuse(fmt::format("that {} cannot be written ({})", in_quotes(existing.string()),
                       std::strerror(errno)));
  }
}

/// What is in a folder, but for hidden files.
std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed); !failed && entry != fs::directory_iterator();
       entry.increment(failed)) {
    std::string name = entry->path().filename().string();
    if (!name.starts_with('.')) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Whether a run was killed while it wrote there.
bool holds_leftovers(const std::string& folder) {
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed); !failed && entry != fs::directory_iterator();
       entry.increment(failed)) {
    if (is_temporary_name(entry->path().filename().string())) return true;
  }
  return false;
}

bool holds_result(const std::string& folder, std::span<const FolderFile> files) {
  return std::any_of(files.begin(), files.end(), [&](const FolderFile& file) {
    const fs::path path = fs::path(folder) / file.name;
    std::error_code none;
    return file.tells_result && fs::is_regular_file(path, none) && begins_like(path, file.kind);
  });
}

}  // namespace

std::string_view to_string(FileKind kind) { return row_of(kind).name; }

void OutputGuard::protect(const std::string& input) {
  if (!input.empty()) inputs_.push_back(input == "-" ? "/dev/stdin" : input);
}

void OutputGuard::check(std::string_view flag, const std::string& path, FileKind kind) {
  if (path.empty()) {
    throw InputError({{}, fmt::format("{} ''", flag), "the name of a file to write", ""});
  }
  if (path == "-" || is_device(path)) return;
  for (const std::string& input : inputs_) {
    if (!same_file(input, path)) continue;
    throw InputError({{path},
                      "that it is an input",
                      "another file to write",
                      fmt::format("Use another {}", flag)});
  }
  const std::string place = resolved(path);
  if (std::find(outputs_.begin(), outputs_.end(), place) != outputs_.end()) {
    throw InputError({{path},
                      "one file for two outputs",
                      "two different files",
                      fmt::format("Use another {}", flag)});
  }
  outputs_.push_back(place);
  std::error_code none;
  if (fs::is_directory(path, none)) {
    throw InputError({{path}, "a directory", "the name of a file to write", ""});
  }
  check_parent(flag, path);
  // In an empty file nothing is lost.
  const bool holds_something = fs::exists(path, none) && !fs::is_empty(path, none);
  if (!force_ && holds_something && !begins_like(path, kind)) {
    throw InputError({{path},
                      row_of(kind).beginnings.empty()
                          ? "a file that may be somebody's"
                          : fmt::format("a file that is not {} of an earlier run", to_string(kind)),
                      "a name that is free",
                      fmt::format("Use another {}, or add --force to replace the file", flag)});
  }
}

void OutputGuard::check_folder(std::string_view flag, const std::string& folder,
                               std::span<const FolderFile> files) {
  if (folder.empty()) {
    throw InputError({{}, fmt::format("{} ''", flag), "a folder for the results", ""});
  }
  check_place(flag, folder);
  for (const FolderFile& file : files) {
    // A folder that is still to be made has nothing to lose.
    const std::string path = (fs::path(folder) / file.name).string();
    std::error_code none;
    if (fs::exists(path, none)) check(flag, path, file.kind);
  }
  const std::vector<std::string> entries = entries_of(folder);
  if (force_ || entries.empty() || holds_result(folder, files) || holds_leftovers(folder)) return;
  throw InputError({{folder},
                    fmt::format("other files and no earlier result ({})", name_list(entries)),
                    "a folder that is new, empty or holds an earlier result",
                    fmt::format("Use another {}, or add --force to write into this one", flag)});
}

}  // namespace tertium::internal
