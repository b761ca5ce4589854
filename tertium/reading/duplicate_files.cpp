#include "tertium/reading/duplicate_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "tertium/core/utf8.hpp"
#include "tertium/error.hpp"

namespace tertium::internal {
namespace {

bool same_bytes(const std::string& a, const std::string& b) {
  std::ifstream first(a, std::ios::binary);
  std::ifstream second(b, std::ios::binary);
  return std::equal(std::istreambuf_iterator<char>(first), std::istreambuf_iterator<char>(),
                    std::istreambuf_iterator<char>(second), std::istreambuf_iterator<char>());
}

}  // namespace

void refuse_duplicates(const std::vector<InputFile>& files) {
  namespace fs = std::filesystem;
  std::map<std::uintmax_t, std::vector<const InputFile*>> by_size;
  for (const InputFile& file : files) {
    std::error_code failed;
    if (file.path == "-" || !fs::is_regular_file(file.path, failed)) continue;
    const std::uintmax_t size = fs::file_size(file.path, failed);
    if (!failed) by_size[size].push_back(&file);
  }
  for (const auto& [size, alike] : by_size) {
    if (alike.size() < 2 || size == 0) continue;
    std::map<std::uint32_t, const InputFile*> by_checksum;
    for (const InputFile* file : alike) {
      const auto [before, added] = by_checksum.emplace(identify({*file})[0].checksum, file);
      if (added || !same_bytes(file->path, before->second->path)) continue;
      std::error_code failed;
      const bool same = fs::equivalent(file->path, before->second->path, failed);
      throw InputError(
          {{file->path},
           same ? fmt::format("the same file as {}", in_quotes(before->second->path))
                : fmt::format("the same content as {}", in_quotes(before->second->path)),
           "every answer once",
           "Leave one of them out, or add --duplicates keep to count both"});
    }
  }
}

}  // namespace tertium::internal
