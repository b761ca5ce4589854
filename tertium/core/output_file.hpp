#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace tertium::internal {

/// A file that appears whole or not at all: bytes go to a temporary file in the same folder, and
/// `commit` renames it into place. Without `commit` the temporary file is removed and whatever was
/// at `path` stays as it was. "-" is standard output.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace tertium::internal
