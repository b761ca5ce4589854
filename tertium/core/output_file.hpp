#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tertium/core/temporary_name.hpp"

namespace tertium::internal {

/// A file that appears whole or not at all: bytes go to a temporary file in the same folder, and
/// `commit` renames it into place. Without `commit` the temporary file is removed and whatever was
/// at `path` stays as it was. What killed runs have left in the folder is removed. "-" is standard
/// output.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Number and CRC-32 of the bytes written so far.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint32_t checksum() const { return checksum_; }

 private:
  friend class Replacement;
  friend void commit_together(std::span<OutputFile* const> files,
                              std::span<const std::string_view> obsolete);

  void create();
  /// Waits until all bytes are where they should be. Everything that usually fails fails here.
  void finish();
  [[nodiscard]] bool has_place() const { return temporary_ != nullptr; }
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string name_;  // in its folder
  std::shared_ptr<const OpenFolder> folder_;
  std::unique_ptr<TemporaryName> temporary_;  // none: standard output or a device
  std::FILE* file_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::uint32_t checksum_ = 0;
};

/// Commits files that belong together, so that no old one ever stands beside a new one and nobody
/// notices: the last of them vouches for the others, is removed first and appears last. Files named
/// `obsolete` in its folder belonged to the old ones and are removed. If anything fails, all that
/// was there before is there again. A run that is killed in the middle leaves a folder without the
/// last file. Of two runs at the same time one is done first, whole, and then the other one.
void commit_together(std::span<OutputFile* const> files,
                     std::span<const std::string_view> obsolete = {});

}  // namespace tertium::internal
