#include "tertium/core/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tertium/error.hpp"

namespace tertium::internal {

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  if (std::filesystem::is_directory(path_)) {
    throw InputError({{path_}, "a directory", "the name of a file to write", ""});
  }
  // A device or a pipe (/dev/stdout, /dev/null) cannot be renamed onto: written directly.
  const auto status = std::filesystem::status(path_);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail("open");
    return;
  }
  temporary_ = path_ + ".part-XXXXXX";
  const int descriptor = ::mkstemp(temporary_.data());
  if (descriptor < 0) {
    temporary_.clear();
    fail("create");
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, 0666 & ~mask);
  file_ = ::fdopen(descriptor, "wb");
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write");
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) fail("write");
  if (file_ == stdout) return;
  if (!temporary_.empty() && ::fsync(::fileno(file_)) != 0) fail("write");
  std::FILE* closing = file_;
  file_ = nullptr;
  if (std::fclose(closing) != 0) fail("write");
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename");
  temporary_.clear();
}

void OutputFile::fail(const char* what) const {
  throw InputError(
      {{path_},
       std::string("that it is impossible to ") + what + " it (" + std::strerror(errno) + ")",
       "a file that can be written",
       "Choose another place with -o"});
}

}  // namespace tertium::internal
